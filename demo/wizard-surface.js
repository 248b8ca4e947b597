/** What an agent may do and see in the chart wizard: the declaration, and its handlers on the wizard's functions. */
import { defineSurface } from '/oui.js';
import { ChartError } from './charts/chart-error.js';
import { download } from './charts/chart-files.js';

/** What cannot be done is an outcome to act on, not a crash: it keeps its own code. */
async function outcomeOf(work) {
  try {
    return { success: true, data: await work() };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { success: false, error: { code: error.code, message: error.message } };
  }
}

/** @typedef {typeof import('./wizard.js')} Wizard what the handlers get as their context */

/** Available, or the reason why not yet. @param {string} actionId */
const possible = (actionId) => (/** @type {Wizard} */ wizard) => wizard.blocked(actionId) ?? true;

export const wizardSurface = defineSurface({
  id: 'dataviz-wizard',
  name: 'Data Visualization Wizard',
  description: 'Makes charts from data sets, together with the user who sees them: '
    + 'choose a data set, configure a chart, filter, render, export.',
  version: '1.0.0',
  activation: {
    routes: ['/studio/dataviz', '/studio/dataviz/*'],
    condition: 'The list of data sets is loaded',
  },
  actions: [
    {
      id: 'select_dataset',
      description: 'Choose the data set to show. Comes first; choosing again starts over, without filters and chart.',
      effect: 'edit',
      input: {
        type: 'object',
        properties: {
          datasetId: { type: 'string', description: 'An id from the observation available_datasets' },
        },
        required: ['datasetId'],
      },
      handler: ({ datasetId }, /** @type {Wizard} */ wizard) => outcomeOf(async () => {
        const { columns, rows } = await wizard.selectDataset(datasetId);
        return { columns, rowCount: rows.length };
      }),
    },
    {
      id: 'configure_chart',
      description: 'Set the kind of chart, its axes, colours and aggregation. Replaces an earlier configuration. '
        + 'A heatmap has xAxis and yAxis as its two sides and measures colorBy; the others measure yAxis.',
      effect: 'edit',
      input: {
        type: 'object',
        properties: {
          chartType: { type: 'string', enum: ['bar', 'line', 'scatter', 'pie', 'heatmap', 'treemap'] },
          xAxis: { type: 'string', description: 'Column along the x axis; of a pie or treemap, its parts' },
          yAxis: { type: 'string', description: 'Column along the y axis' },
          colorBy: { type: 'string', description: 'Column that the colours stand for (optional)' },
          aggregation: {
            type: 'string',
            enum: ['sum', 'avg', 'count', 'min', 'max'],
            description: 'How rows of one place become one value. Without it: sum of numbers, count of anything else, '
              + 'and every row on its own in a scatter chart',
          },
        },
        required: ['chartType', 'xAxis', 'yAxis'],
      },
      preconditions: 'A data set must be selected (select_dataset)',
      enabled: possible('configure_chart'),
      handler: (params, /** @type {Wizard} */ wizard) => outcomeOf(() => {
        const { chartType } = wizard.configure(params);
        return { configured: true, chartType };
      }),
    },
    {
      id: 'apply_filter',
      description: 'Show only the rows that pass this filter too. Filters add up; select_dataset clears them.',
      effect: 'edit',
      input: {
        type: 'object',
        properties: {
          column: { type: 'string' },
          operator: { type: 'string', enum: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains'] },
          value: { description: 'What to compare with: a number, a text, a date (YYYY-MM-DD); a list for "in"' },
        },
        required: ['column', 'operator', 'value'],
      },
      preconditions: 'A data set must be selected (select_dataset)',
      enabled: possible('apply_filter'),
      handler: (params, /** @type {Wizard} */ wizard) => outcomeOf(() => ({ filterCount: wizard.addFilter(params) })),
    },
    {
      id: 'render_chart',
      description: 'Draw the chart as it is configured. Acknowledged at once, followed by its progress, and answered '
        + 'when the chart is there, with what it shows in words.',
      effect: 'job',
      async: true,
      estimatedDuration: '1-5s',
      input: {
        type: 'object',
        properties: {
          quality: {
            type: 'string',
            enum: ['draft', 'production'],
            description: 'draft (default) is faster and shows less detail',
          },
        },
      },
      preconditions: 'The chart must be configured (configure_chart)',
      enabled: possible('render_chart'),
      polling: {
        intervalMs: 250,
        maxDurationMs: 60_000,
        resolve({ jobId }, /** @type {Wizard} */ wizard) {
          const { state, progress, error, imageUrl, durationMs, title, description } = wizard.renderStatus(jobId);
          if (state === 'rendering') return { done: false, data: { status: 'rendering', progress } };
          if (state === 'failed') {
            return { done: true, data: { status: 'failed', error }, error: { code: 'RENDER_FAILED', message: error } };
          }
          return { done: true, data: { status: 'complete', imageUrl, renderTimeMs: durationMs, title, description } };
        },
      },
      handler: ({ quality }, /** @type {Wizard} */ wizard) => (
        outcomeOf(() => ({ jobId: wizard.startRender(quality).id }))),
    },
    {
      id: 'export_chart',
      description: 'Save the rendered chart as a file: it is downloaded in the user\'s browser.',
      effect: 'file',
      input: {
        type: 'object',
        properties: {
          format: { type: 'string', enum: ['png', 'svg', 'pdf'] },
          width: { type: 'number', description: 'Width in pixels (1200 without it)' },
          height: { type: 'number', description: 'Height in pixels (800 without it)' },
        },
        required: ['format'],
      },
      preconditions: 'The chart must be rendered (render_chart)',
      enabled: possible('export_chart'),
      handler: ({ format, width, height }, /** @type {Wizard} */ wizard) => outcomeOf(async () => {
        const { url, name, bytes } = await wizard.exportChart({ format, width, height });
        download(url, name);
        return { downloadUrl: url, format, fileName: name, bytes };
      }),
    },
  ],
  observations: [
    {
      id: 'available_datasets',
      description: 'The data sets that can be shown',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            name: { type: 'string' },
            rowCount: { type: 'number' },
            columns: { type: 'array', items: { type: 'string' } },
          },
        },
      },
      updateFrequency: 'on-change',
    },
    {
      id: 'wizard_state',
      description: 'How far the wizard is, and what is chosen in it',
      schema: {
        type: 'object',
        properties: {
          step: { type: 'string', enum: ['select', 'configure', 'preview', 'export'] },
          selectedDatasetId: { type: 'string' },
          chartConfig: { type: 'object' },
          filters: { type: 'array' },
          renderedChartUrl: { type: 'string' },
        },
      },
      updateFrequency: 'on-change',
    },
  ],
});
