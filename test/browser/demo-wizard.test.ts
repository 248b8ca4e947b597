import { expect } from 'chai';
import type { DefinedSurface } from '../../src/surface/definition/definition.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { README_WIZARD, withoutWords } from './fixtures/dataviz.js';

/** The modules of the demo as its pages load them; `/oui.js` is the built one. */
const load = (path: string) => import(path);

/** What `rendered` needs of the wizard. */
interface Wizard {
  startRender(quality: string): Rendering;
  onChange(listener: () => void): () => void;
}

interface Rendering {
  readonly state: string;
  readonly imageUrl: string;
  readonly error: string;
}

interface Config {
  readonly chartType: string;
  readonly xAxis: string;
  readonly yAxis: string;
  readonly colorBy?: string;
}

const CHARTS: readonly Config[] = [
  { chartType: 'bar', xAxis: 'shop', yAxis: 'revenue', colorBy: 'product' },
  { chartType: 'line', xAxis: 'week', yAxis: 'revenue', colorBy: 'shop' },
  { chartType: 'scatter', xAxis: 'units', yAxis: 'revenue', colorBy: 'product' },
  { chartType: 'pie', xAxis: 'product', yAxis: 'revenue' },
  { chartType: 'heatmap', xAxis: 'week', yAxis: 'product', colorBy: 'units' },
  { chartType: 'treemap', xAxis: 'product', yAxis: 'units', colorBy: 'shop' },
];

describe('the chart wizard of the demo', () => {
  describe('its surface', () => {
    let runtime: SurfaceRuntime;
    let surface: DefinedSurface<{ blocked(actionId: string): string | undefined }>;
    beforeEach(async () => {
      surface = (await load('/demo/wizard-surface.js')).wizardSurface;
      runtime = (await load('/oui.js')).createSurfaceRuntime();
    });
    afterEach(() => runtime.dispose());

    it('has the ids and schemas of the README', () => {
      runtime.mount(surface, () => ({ blocked: () => undefined }));
      const [manifest] = runtime.snapshot().surfaces!;
      const { id, name, version, activation, actions, observations } = manifest!;
      expect({
        id,
        name,
        version,
        routes: activation?.routes,
        actions: Object.fromEntries(actions.map((action) => [action.id, withoutWords(action.input)])),
        observations: Object.fromEntries(observations!.map((each) => [each.id, withoutWords(each.schema)])),
      }).to.deep.equal(README_WIZARD);
      expect(actions.filter(({ async }) => async).map((action) => action.id)).to.deep.equal(['render_chart']);
      expect(actions.some(({ enabled }) => enabled === false)).to.equal(false);
    });

    it('declares what cannot be done yet, with the reason', async () => {
      // One in which nothing was chosen yet.
      const wizard = await load('/demo/wizard.js?fresh');
      runtime.mount(surface, () => wizard);
      const disabled = runtime.snapshot().surfaces![0]!.actions.filter(({ enabled }) => enabled === false);
      expect(disabled.map(({ id }) => id))
        .to.deep.equal(['configure_chart', 'apply_filter', 'render_chart', 'export_chart']);
      const result = await runtime.execute({
        surfaceId: 'dataviz-wizard', actionId: 'export_chart', params: { format: 'svg' },
      });
      expect(result.error?.code).to.equal('PRECONDITION_FAILED');
      expect(result.error?.message).to.contain('select_dataset');
    });
  });

  for (const width of [300, 900]) {
    it(`draws every kind of chart within its picture, ${width} wide`, async () => {
      const [{ parseCsv }, { chartData, checkedConfig }, { sceneOf }, { markElement, svgElement }] = await Promise.all(
        ['table', 'chart-data', 'scene', 'svg'].map((name) => load(`/demo/charts/${name}.js`)));
      const table = parseCsv(await (await fetch('/demo/data/bakery-sales.csv')).text());
      for (const config of CHARTS) {
        const chart = chartData(table, checkedConfig(table.columns, config));
        const scene = sceneOf(chart, { width, height: 320, size: 11, fine: true });
        const svg: SVGSVGElement = svgElement(scene);
        const marks: SVGElement[] = [...scene.around, ...scene.data].map(markElement);
        svg.append(...marks);
        svg.style.width = `${width}px`;
        document.body.append(svg);
        // Invalid numbers in a path or an attribute show as a box that is missing or lies elsewhere.
        for (const mark of svg.querySelectorAll<SVGGraphicsElement>('rect, circle, path, text')) {
          const box = mark.getBoundingClientRect();
          const frame = svg.getBoundingClientRect();
          const what = `${config.chartType}: ${mark.outerHTML}`;
          expect(mark.outerHTML, what).not.to.match(/NaN|Infinity|undefined/);
          expect(box.left - frame.left, what).to.be.at.least(-3);
          expect(box.top - frame.top, what).to.be.at.least(-3);
          expect(frame.right - box.right, what).to.be.at.least(-3);
          expect(frame.bottom - box.bottom, what).to.be.at.least(-3);
        }
        expect(scene.data.length, config.chartType).to.be.at.least(3);
        expect(svg.getAttribute('role')).to.equal('img');
        expect(svg.getAttribute('aria-label')).to.contain(scene.title);
        svg.remove();
      }
    });
  }

  it('goes from a data set to files', async () => {
    const wizard = await load('/demo/wizard.js');
    await wizard.load();
    expect(wizard.step()).to.equal('select');
    await wizard.selectDataset('bakery-sales');
    expect(wizard.step()).to.equal('configure');
    wizard.configure(CHARTS[0]);
    wizard.addFilter({ column: 'shop', operator: 'neq', value: 'Station' });
    expect(wizard.step()).to.equal('preview');
    const rendering = await rendered(wizard, 'draft');
    expect(rendering).to.include({ state: 'complete', progress: 1 });
    expect(wizard.step()).to.equal('export');

    const svg = await fileText(rendering.imageUrl);
    const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(drawing.querySelector('parsererror')).to.equal(null);
    expect(drawing.querySelector('title')?.textContent).to.equal('Sum of revenue by shop and product');
    // Two shops of five products, beside the five of the legend and the paper.
    expect(drawing.querySelectorAll('rect').length).to.equal(2 * 5 + 5 + 1);

    const png = await wizard.exportChart({ format: 'png', width: 600, height: 400 });
    const image = await createImageBitmap(await (await fetch(png.url)).blob());
    expect([png.name, image.width, image.height]).to.deep.equal(['bakery-sales-bar.png', 600, 400]);
    const pixels = pixelsOf(image);
    expect(pixels.has('255,255,255'), 'paper').to.equal(true);
    expect(pixels.has('52,87,213'), 'the first colour').to.equal(true);

    const pdf = await (await fetch((await wizard.exportChart({ format: 'pdf' })).url)).arrayBuffer();
    checkPdf(new Uint8Array(pdf));

    const csv = await fileText((await wizard.exportChart({ format: 'csv' })).url);
    expect(csv.split('\r\n')[0]).to.equal('shop,group,Sum of revenue');
    expect(csv.trim().split('\r\n').length).to.equal(1 + 2 * 5);

    await refused(() => wizard.exportChart({ format: 'png', width: 9 }), 'dataviz:bad_size', '200 to 8000');
  });

  it('draws a share at a time, and gives up what is no longer wanted', async () => {
    const wizard = await load('/demo/wizard.js');
    await wizard.load();
    await wizard.selectDataset('used-bicycles');
    wizard.configure({ chartType: 'scatter', xAxis: 'age', yAxis: 'price' });
    const seen: number[] = [];
    const off = wizard.onChange(() => seen.push(wizard.current().rendering?.progress ?? -1));
    await rendered(wizard, 'draft');
    off();
    expect(seen).to.deep.equal([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).to.be.at.least(4);

    const first = wizard.startRender('draft');
    const second = wizard.startRender('draft');
    expect(wizard.renderStatus(first.id)).to.include({ state: 'failed' });
    wizard.addFilter({ column: 'price', operator: 'lt', value: '0' });
    expect(wizard.renderStatus(second.id).error).to.contain('changed');
    expect(wizard.current().rendered).to.equal(null);

    // No row is left: said in words, by the rendering itself.
    const empty = await rendered(wizard, 'draft');
    expect(empty).to.include({ state: 'failed' });
    expect(empty.error).to.contain('No row passes');
    expect(wizard.blocked('export_chart')).to.contain('render_chart');
  });

  it('says what it cannot do, and the way out', async () => {
    const wizard = await load('/demo/wizard.js');
    await wizard.load();
    await refused(() => wizard.selectDataset('sales'), 'dataviz:unknown_dataset', 'bakery-sales, weather-stations');
    await wizard.selectDataset('weather-stations');
    const chart = { chartType: 'bar', xAxis: 'station', yAxis: 'rain' };
    await refused(() => wizard.configure({ ...chart, xAxis: 'town' }), 'dataviz:unknown_column', 'date, station');
    const sumOfDates = { ...chart, yAxis: 'date', aggregation: 'sum' };
    await refused(() => wizard.configure(sumOfDates), 'dataviz:not_a_number', 'rain');
    const filter = (column: string, value: string) => () => wizard.addFilter({ column, operator: 'gt', value });
    await refused(filter('rain', 'much'), 'dataviz:bad_filter', 'much');
    await refused(filter('station', 'C'), 'dataviz:bad_filter', 'eq');
    await refused(() => wizard.startRender(), 'PRECONDITION_FAILED', 'configure_chart');
    expect(wizard.current().filters).to.deep.equal([]);
    wizard.configure({ ...chart, yAxis: 'date' });
    expect(wizard.current().config).to.deep.equal({ ...chart, yAxis: 'date', aggregation: 'count' });
  });
});

/** Renders, and resolves with the end of it. */
function rendered(wizard: Wizard, quality: string): Promise<Rendering> {
  return new Promise((resolve) => {
    const rendering = wizard.startRender(quality);
    const look = (): void => {
      if (rendering.state === 'rendering') return;
      off();
      resolve(rendering);
    };
    const off = wizard.onChange(look);
    queueMicrotask(look);
  });
}

async function fileText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function refused(work: () => unknown, code: string, words: string): Promise<void> {
  let error: { code?: string; message?: string } = {};
  try {
    await work();
  } catch (thrown) {
    error = thrown as object;
  }
  expect(error.code).to.equal(code);
  expect(error.message).to.contain(words);
}

function pixelsOf(image: ImageBitmap): Set<string> {
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const found = new Set<string>();
  for (let at = 0; at < data.length; at += 4) found.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
  return found;
}

/** Every object stands where the table says, and the picture is a JPEG. */
function checkPdf(bytes: Uint8Array): void {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  expect(text.slice(0, 8)).to.equal('%PDF-1.4');
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(table, table + 5)).to.equal('xref\n');
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  expect(offsets.length).to.equal(5);
  offsets.forEach((offset, index) => expect(text.slice(offset).startsWith(`${index + 1} 0 obj\n`)).to.equal(true));
  const start = text.lastIndexOf('stream\n', text.lastIndexOf('\nendstream')) + 'stream\n'.length;
  expect([bytes[start], bytes[start + 1]]).to.deep.equal([0xff, 0xd8]);
}
