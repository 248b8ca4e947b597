/**
 * What a drawing is made of, without a document. Colours are roles (`ink`, `series-1`), so that a page can show them in
 * its own colours and a file in those of paper.
 *
 * @typedef {{ tag: 'rect' | 'circle' | 'path' | 'text', attributes: Record<string, string | number>, text?: string,
 *   hint?: string }} Mark `text` is what a text mark says; `hint` is shown on pointing at a mark
 */

export const seriesColour = (index) => `series-${(index % 8) + 1}`;

/** Tenths are fine enough for a screen, and keep files small. */
const place = (number) => Number(number.toFixed(1));

const mark = (tag, attributes, more) => ({ tag, attributes, ...more });

export const rect = (x, y, width, height, fill, { hint, ...attributes } = {}) => mark('rect', {
  x: place(x), y: place(y), width: place(Math.max(width, 0)), height: place(Math.max(height, 0)), fill, ...attributes,
}, hint && { hint });

export const circle = (cx, cy, r, fill, { hint, ...attributes } = {}) => (
  mark('circle', { cx: place(cx), cy: place(cy), r: place(r), fill, ...attributes }, hint && { hint }));

export const path = (d, { hint, ...attributes }) => mark('path', { d, ...attributes }, hint && { hint });

export const stroke = (x1, y1, x2, y2, colour, width = 1) => (
  path(`M${place(x1)} ${place(y1)}L${place(x2)} ${place(y2)}`, {
    fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round',
  }));

/** @param {'start' | 'middle' | 'end'} anchor */
export const text = (x, y, content, size, { anchor = 'start', fill = 'ink', ...attributes } = {}) => mark('text', {
  x: place(x), y: place(y), fill, 'font-size': size, ...(anchor !== 'start' && { 'text-anchor': anchor }),
  ...attributes,
}, { text: content });

/** About how wide a text is: there is no document to measure in. */
export const textWidth = (content, size) => String(content).length * size * 0.56;

/** A text cut to a width. */
export function fitText(content, width, size) {
  const room = Math.floor(width / (size * 0.56));
  if (content.length <= room) return content;
  return room < 2 ? '' : `${content.slice(0, room - 1)}…`;
}
