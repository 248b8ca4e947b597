/** From values to places: scales, the round numbers beside an axis, and how values are written. */
const DAY = 86_400_000;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dayText = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthText = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

export const formatNumber = (value) => whole.format(value);
/** Short: for axes. */
export const formatTick = (value) => (Math.abs(value) >= 10_000 ? compact : whole).format(value);
/** Of ms since 1970, as dates have them here. */
export const formatDay = (ms) => dayText.format(ms);
export const formatMonth = (ms) => monthText.format(ms);

/** @returns {(value: number) => number} */
export function linear([from, to], [start, end]) {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
}

/** Equal places side by side. `gap` is the share of a place that stays empty. */
export function band(count, [start, end], gap = 0.2) {
  const step = (end - start) / Math.max(count, 1);
  const size = step * (1 - gap);
  const middle = (index) => start + (index + 0.5) * step;
  return { step, size, middle, start: (index) => middle(index) - size / 2 };
}

/** The step that divides a span into about `count` parts and is 1, 2 or 5 times a power of ten. */
export function niceStep(span, count) {
  const raw = span / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const times = [1, 2, 5, 10].find((each) => each * power >= raw * 0.999);
  return times * power;
}

/** Round numbers that enclose both ends. @returns {number[]} */
export function ticks(min, max, count = 5) {
  const step = niceStep(max - min, count);
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  const length = Math.max(last - first, 1) + 1;
  // Without what adding fractions leaves behind: 0.30000000000000004.
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Days or firsts of a month between two days, about `count`. @returns {{ at: number, text: string }[]} */
export function dateTicks(min, max, count = 6) {
  const days = (max - min) / DAY;
  if (days / count > 20) {
    return monthTicks(min, max, [1, 2, 3, 6, 12, 24].find((step) => days / 30 / step <= count) ?? 60);
  }
  const step = [1, 2, 7, 14, 28].find((each) => days / each <= count) ?? 28;
  const length = Math.floor(days / step) + 1;
  return Array.from({ length }, (_, index) => min + index * step * DAY).map((at) => ({ at, text: formatDay(at) }));
}

function monthTicks(min, max, step) {
  const found = [];
  const date = new Date(min);
  date.setUTCDate(1);
  for (; date.getTime() <= max; date.setUTCMonth(date.getUTCMonth() + step)) {
    if (date.getTime() >= min) found.push({ at: date.getTime(), text: formatMonth(date) });
  }
  return found;
}
