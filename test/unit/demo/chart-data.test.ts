import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

/** The demo's own modules are plain JavaScript, as its page loads them. */
const load = (path: string) => import(new URL(`../../../demo/${path}`, import.meta.url).href);
const { parseCsv, toCsv } = await load('charts/table.js');
const { checkedFilter, filtered, filterText } = await load('charts/filters.js');
const { chartData, chartRows, checkedConfig } = await load('charts/chart-data.js');
const { descriptionOf } = await load('charts/scene.js');
const { dateTicks, ticks } = await load('charts/scales.js');

const FRUIT = parseCsv(`day,kind,place,weight
2026-01-30,apple,A,4
2026-01-31,pear,A,1
2026-02-01,apple,B,-6
2026-02-02,apple,A,3
`);

const readData = (name: string): Promise<string> =>
  readFile(new URL(`../../../demo/data/${name}`, import.meta.url), 'utf8');

function chartOf(config: object, table = FRUIT) {
  return chartData(table, checkedConfig(table.columns, config));
}

describe('the data sets of the demo', () => {
  it('are as the catalog says', async () => {
    const { note, datasets } = JSON.parse(await readData('catalog.json'));
    expect(note).toContain('Invented');
    expect(datasets).toHaveLength(3);
    for (const { id, rowCount, columns } of datasets) {
      const table = parseCsv(await readData(`${id}.csv`));
      expect(table.rows).toHaveLength(rowCount);
      expect(table.columns.map(({ name }: { name: string }) => name)).toEqual(columns);
      expect(new Set(table.columns.map(({ type }: { type: string }) => type)).has('number')).toBe(true);
    }
  });

  it('are read with the type of each column', () => {
    expect(FRUIT.columns.map(({ type }: { type: string }) => type)).toEqual(['date', 'text', 'text', 'number']);
    expect(FRUIT.rows[2]).toEqual({ day: '2026-02-01', kind: 'apple', place: 'B', weight: -6 });
  });

  it('are written so that a spreadsheet reads them', () => {
    expect(toCsv([['a', 1], ['say "x"', 'b,c']])).toBe('a,1\r\n"say ""x""","b,c"\r\n');
  });
});

describe('filters', () => {
  it.each([
    ['weight', 'gt', 1, 2],
    ['weight', 'gte', '1', 3],
    ['weight', 'lt', 1, 1],
    ['weight', 'lte', 1, 2],
    ['weight', 'in', [1, '3'], 2],
    ['kind', 'eq', 'pear', 1],
    ['kind', 'neq', 'pear', 3],
    ['kind', 'contains', 'APP', 3],
    ['weight', 'contains', 6, 1],
    ['day', 'gte', '2026-02-01', 2],
  ])('%s %s %s', (column, operator, value, count) => {
    const filter = checkedFilter(FRUIT.columns, { column, operator, value });
    expect(filtered(FRUIT.rows, [filter])).toHaveLength(count);
  });

  it('add up, and read as words', () => {
    const filters = [
      checkedFilter(FRUIT.columns, { column: 'kind', operator: 'eq', value: 'apple' }),
      checkedFilter(FRUIT.columns, { column: 'weight', operator: 'in', value: [3, 4] }),
    ];
    expect(filtered(FRUIT.rows, filters)).toHaveLength(2);
    expect(filters.map(filterText)).toEqual(['kind is apple', 'weight is one of 3, 4']);
  });

  it.each([
    ['weight', 'gt', 'much', /"weight" has numbers; "much" is none/],
    ['weight', 'eq', '', /has numbers/],
    ['weight', 'eq', null, /needs a text or a number/],
    ['weight', 'in', 3, /needs a list/],
    ['kind', 'in', [], /needs a list/],
    ['kind', 'lt', 'b', /"kind" has texts. Use eq/],
    ['size', 'eq', 1, /no column "size".*day, kind, place, weight/],
  ])('refuse %s %s %j', (column, operator, value, words) => {
    expect(() => checkedFilter(FRUIT.columns, { column, operator, value })).toThrow(words);
  });
});

describe('what a chart shows', () => {
  it.each([
    ['sum', { apple: 1, pear: 1 }],
    ['avg', { apple: 1 / 3, pear: 1 }],
    ['count', { apple: 3, pear: 1 }],
    ['min', { apple: -6, pear: 1 }],
    ['max', { apple: 4, pear: 1 }],
  ])('%s', (aggregation, values) => {
    const { cells } = chartOf({ chartType: 'bar', xAxis: 'kind', yAxis: 'weight', aggregation });
    expect(Object.fromEntries(cells.map(({ x, value }: { x: string; value: number }) => [x, value]))).toEqual(values);
  });

  it('has the rows themselves in a scatter chart', () => {
    const { x, cells } = chartOf({ chartType: 'scatter', xAxis: 'day', yAxis: 'weight' });
    expect(x.kind).toBe('date');
    expect(cells.map(({ value }: { value: number }) => value)).toEqual([4, 1, -6, 3]);
  });

  it('has groups by colour, and rows for a table', () => {
    const chart = chartOf({ chartType: 'bar', xAxis: 'kind', yAxis: 'weight', colorBy: 'place' });
    expect(chart.title).toBe('Sum of weight by kind and place');
    expect(chartRows(chart)).toEqual([
      ['kind', 'group', 'Sum of weight'], ['apple', 'A', 7], ['pear', 'A', 1], ['apple', 'B', -6],
    ]);
    expect(descriptionOf(chart))
      .toBe('Bar chart, 3 values in 2 colours. Lowest: -6 (apple, B). Highest: 7 (apple, A).');
  });

  it('measures colorBy on a heatmap', () => {
    const chart = chartOf({ chartType: 'heatmap', xAxis: 'kind', yAxis: 'place', colorBy: 'weight' });
    expect(chartRows(chart)).toEqual([
      ['kind', 'place', 'Sum of weight'], ['apple', 'A', 7], ['pear', 'A', 1], ['apple', 'B', -6],
    ]);
  });

  it('puts many days into months, and many numbers into ranges', async () => {
    const weather = parseCsv(await readData('weather-stations.csv'));
    const months = chartOf({ chartType: 'bar', xAxis: 'date', yAxis: 'rain' }, weather);
    expect(months.x.names).toEqual(['Mar 2026', 'Apr 2026', 'May 2026']);
    const ranges = chartOf({ chartType: 'bar', xAxis: 'temperature', yAxis: 'rain', aggregation: 'count' }, weather);
    expect(ranges.x.names.length).toBeLessThanOrEqual(31);
    const rows = ranges.cells.map(({ value }: { value: number }) => value);
    expect(rows.reduce((sum: number, value: number) => sum + value)).toBe(weather.rows.length);
  });

  it('keeps the largest where there are too many, and says so', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `k${index},${index + 1}`);
    const table = parseCsv(['kind,weight', ...lines].join('\n'));
    const { x, note } = chartOf({ chartType: 'pie', xAxis: 'kind', yAxis: 'weight' }, table);
    expect(x.names).toHaveLength(12);
    expect(x.names[0]).toBe('k19');
    expect(note).toBe('Shown: the largest 12 of 20 kind.');
  });

  it('refuses a whole without parts', () => {
    const table = parseCsv('kind,weight\na,-1\nb,0\n');
    expect(() => chartOf({ chartType: 'pie', xAxis: 'kind', yAxis: 'weight' }, table)).toThrow(/no value is above 0/);
  });
});

describe('axes', () => {
  it.each([
    [0, 97, 5, [0, 20, 40, 60, 80, 100]],
    [-2.9, 5.9, 5, [-4, -2, 0, 2, 4, 6]],
    [0.1, 0.32, 5, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]],
    [7, 7, 5, [7, 8]],
  ])('%d to %d', (min, max, count, wanted) => {
    const found: number[] = ticks(min, max, count);
    expect(found).toEqual(wanted);
  });

  it('have days or firsts of a month', () => {
    const day = (text: string): number => Date.parse(text);
    const texts = (min: string, max: string) =>
      dateTicks(day(min), day(max)).map(({ text }: { text: string }) => text);
    expect(texts('2026-03-01', '2026-03-05')).toEqual(['Mar 1', 'Mar 2', 'Mar 3', 'Mar 4', 'Mar 5']);
    expect(texts('2026-01-05', '2026-06-29')).toEqual(['Feb 2026', 'Mar 2026', 'Apr 2026', 'May 2026', 'Jun 2026']);
  });
});
