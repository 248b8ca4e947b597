/** The wizard's page: choosing, configuring, filtering, rendering and saving by hand. */
import { ChartError } from './charts/chart-error.js';
import { download } from './charts/chart-files.js';
import { filterText, OPERATORS } from './charts/filters.js';
import { showChart } from './chart-view.js';
import { toast } from './toast.js';
import * as wizard from './wizard.js';

const byId = (id) => document.getElementById(id);
const datasetForm = byId('dataset-form');
const chartForm = byId('chart-form');
const filterForm = byId('filter-form');
const renderForm = byId('render-form');
const filterList = byId('wizard-filters');
const problem = byId('wizard-problem');
const progress = byId('render-progress');
const STEPS = ['select', 'configure', 'preview', 'export'];
/** What the forms were last filled from: what somebody chose since then stays. */
let filledTable = null;
let filledConfig = null;
let filledRendering = null;
let listed = null;
let refusal = '';

/** Does what was asked for, and says why when it cannot be done. */
async function attempt(work) {
  refusal = '';
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    refusal = error.message;
  }
  renderWizard();
}

for (const form of [datasetForm, chartForm, filterForm, renderForm]) {
  form.addEventListener('submit', (event) => event.preventDefault());
}

datasetForm.addEventListener('change', (event) => attempt(() => wizard.selectDataset(event.target.value)));
chartForm.addEventListener('change', () => attempt(() => wizard.configure(chosen())));

filterForm.addEventListener('submit', () => attempt(() => {
  const { column, operator, value } = Object.fromEntries(new FormData(filterForm));
  const values = () => value.split(',').map((each) => each.trim()).filter((each) => each !== '');
  wizard.addFilter({ column, operator, value: operator === 'in' ? values() : value.trim() });
  filterForm.elements.value.value = '';
  filterForm.elements.value.focus();
}));

filterForm.addEventListener('change', () => {
  filterForm.elements.value.placeholder = filterForm.elements.operator.value === 'in' ? 'one, another' : '';
});

filterList.addEventListener('click', (event) => {
  const chip = event.target.closest('button');
  if (!chip) return;
  wizard.removeFilter([...filterList.children].indexOf(chip.parentElement));
  (filterList.querySelector('button') ?? filterForm.elements.value).focus();
});

renderForm.addEventListener('submit', () => attempt(() => {
  // What the form shows is what is meant, also where nobody has touched it.
  if (!wizard.current().config) wizard.configure(chosen());
  wizard.startRender(new FormData(renderForm).get('quality'));
}));

byId('export-buttons').addEventListener('click', (event) => {
  const format = event.target.closest('button')?.value;
  if (!format) return;
  attempt(async () => {
    const { url, name } = await wizard.exportChart({ format });
    download(url, name);
    toast(`Saved ${name}.`);
  });
});

/** The configuration that the form shows. */
function chosen() {
  const { colorBy, aggregation, ...rest } = Object.fromEntries(new FormData(chartForm));
  return { ...rest, ...(colorBy && { colorBy }), ...(aggregation && { aggregation }) };
}

export function renderWizard() {
  const { datasets, selected, table, filters, rendering, rendered } = wizard.current();
  showSteps(wizard.step());
  showDatasets(datasets, selected);
  byId('wizard-tools').hidden = !table;
  byId('wizard-summary').textContent = table ? rowsText(wizard.shownRows().length, table.rows.length) : '';
  if (table) fillForms();
  showFilters(filters);
  const message = refusal || (rendering?.state === 'failed' ? rendering.error : '');
  if (problem.textContent !== message) problem.textContent = message;
  problem.hidden = message === '';
  showRendering(rendering, rendered);
  if (table) showChart(rendering);
}

function showRendering(rendering, rendered) {
  progress.value = rendering?.progress ?? 0;
  progress.classList.toggle('idle', rendering?.state !== 'rendering');
  // Whoever started it chose a quality. Later the form is the user's again.
  if (rendering && rendering !== filledRendering) renderForm.elements.quality.value = rendering.quality;
  filledRendering = rendering;
  byId('render-note').textContent = rendered ? `Rendered in ${(rendered.durationMs / 1000).toFixed(1)} s` : '';
  for (const button of byId('export-buttons').querySelectorAll('button')) button.disabled = !rendered;
}

const rowsText = (shown, all) => (shown === all ? `${all} rows` : `${shown} of ${all} rows`);

function showSteps(now) {
  for (const item of document.querySelectorAll('.steps li')) {
    const { step } = item.dataset;
    item.classList.toggle('done', STEPS.indexOf(step) < STEPS.indexOf(now));
    if (step === now) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
}

function showDatasets(datasets, selected) {
  if (listed !== datasets) {
    listed = datasets;
    datasetForm.querySelector('fieldset').append(...datasets.map(datasetChoice));
  }
  for (const input of datasetForm.querySelectorAll('input')) input.checked = input.value === selected?.id;
}

function datasetChoice({ id, name, about, rowCount, columns }) {
  const label = document.createElement('label');
  label.className = 'card dataset';
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'dataset', value: id });
  const line = (className, textContent) => Object.assign(document.createElement('span'), { className, textContent });
  label.append(input, line('dataset-name', name), line('dataset-about', about),
    line('meta', `${rowCount} rows · ${columns.join(', ')}`));
  return label;
}

function fillForms() {
  const { table, config } = wizard.current();
  const { xAxis, yAxis, colorBy } = chartForm.elements;
  if (filledTable !== table) {
    filledTable = table;
    filledConfig = null;
    chartForm.reset();
    const names = table.columns.map(({ name }) => name);
    for (const select of [xAxis, yAxis, filterForm.elements.column]) select.replaceChildren(...names.map(option));
    colorBy.replaceChildren(new Option('None', ''), ...names.map(option));
    filterForm.elements.operator.replaceChildren(
      ...Object.entries(OPERATORS).map(([value, words]) => new Option(words, value)));
    yAxis.value = table.columns.findLast(({ type }) => type === 'number').name;
    xAxis.value = (table.columns.find(({ type }) => type === 'text') ?? table.columns[0]).name;
  }
  if (filledConfig === config) return;
  filledConfig = config;
  if (!config) return;
  chartForm.elements.chartType.value = config.chartType;
  xAxis.value = config.xAxis;
  yAxis.value = config.yAxis;
  colorBy.value = config.colorBy ?? '';
  chartForm.elements.aggregation.value = config.aggregation ?? '';
}

const option = (name) => new Option(name, name);

function showFilters(filters) {
  const texts = filters.map(filterText);
  const there = [...filterList.children].map((item) => item.firstChild.textContent);
  filterList.hidden = texts.length === 0;
  if (JSON.stringify(texts) === JSON.stringify(there)) return;
  filterList.replaceChildren(...texts.map((words) => {
    const item = document.createElement('li');
    const remove = Object.assign(document.createElement('button'), { type: 'button', textContent: '×' });
    remove.setAttribute('aria-label', `Remove the filter: ${words}`);
    item.append(Object.assign(document.createElement('span'), { textContent: words }), remove);
    return item;
  }));
}
