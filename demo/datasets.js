/** The data sets that come with the demo. They are invented. */
import { ChartError } from './charts/chart-error.js';
import { parseCsv } from './charts/table.js';

const FOLDER = new URL('./data/', import.meta.url);
const loaded = new Map();

/**
 * What there is to choose from.
 * @returns {Promise<{ id: string, name: string, about: string, rowCount: number, columns: string[] }[]>}
 */
export async function loadCatalog() {
  return (await (await fetched('catalog.json')).json()).datasets;
}

/** One data set whole. @param {string} id @returns {Promise<import('./charts/table.js').Table>} */
export async function loadTable(id) {
  if (!loaded.has(id)) loaded.set(id, parseCsv(await (await fetched(`${id}.csv`)).text()));
  return loaded.get(id);
}

async function fetched(file) {
  const response = await fetch(new URL(file, FOLDER)).catch(() => undefined);
  if (response?.ok) return response;
  const reason = response ? ` (${response.status})` : '';
  throw new ChartError('dataviz:not_loaded', `${file} could not be loaded${reason}. Try again.`);
}
