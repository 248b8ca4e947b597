import { css } from 'lit';
import type { CSSResult } from 'lit';
import { DRAWN_STYLES } from '../drawn-styles.js';

/** A panel along the lower edge of the window. Names of properties are those of `<oui-approval>`. */
export const INSPECTOR_STYLES: readonly CSSResult[] = [DRAWN_STYLES, css`
  :host { all: initial; display: contents; }
  :host([hidden]) { display: none; }
  .panel, .launcher {
    /* Below the sign of what agents do: their stop is always within reach. */
    position: fixed; z-index: 2147482999; box-sizing: border-box;
    color-scheme: var(--oui-color-scheme, light dark);
    --good: light-dark(#12703f, #6fdaa2); --bad: light-dark(#b3261e, #ff9d95); --busy: light-dark(#8a5a00, #f0c26a);
    --line: var(--oui-border, color-mix(in srgb, CanvasText 16%, Canvas));
    --field: var(--oui-field, color-mix(in srgb, CanvasText 6%, Canvas));
    --corner: calc(var(--oui-radius, 16px) * .5);
    color: var(--oui-text, CanvasText); background: var(--oui-surface, Canvas);
    font: 400 .875rem/1.45 var(--oui-font, system-ui, sans-serif); text-align: start;
    border: 1px solid var(--line);
  }
  *, ::before, ::after { box-sizing: border-box; }
  .panel {
    inset: auto 0 0; display: grid; grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 9rem;
    max-block-size: 100dvh; border-width: 1px 0 0; box-shadow: 0 -8px 32px rgb(0 0 0 / .16);
  }
  .launcher {
    inset-block-end: 1rem; inset-inline-end: 1rem; display: flex; gap: .5rem; align-items: center;
    min-block-size: 2.75rem; padding: 0 1rem; border-radius: 99px; font-weight: 650; cursor: pointer;
    box-shadow: 0 4px 16px rgb(0 0 0 / .2);
  }
  .edge { block-size: 10px; margin-block-start: -5px; cursor: ns-resize; touch-action: none; z-index: 1; }
  .edge:hover, .edge:focus-visible { background: color-mix(in srgb, var(--oui-focus, #6a9bff) 45%, transparent); outline: none; }
  header {
    display: flex; gap: .5rem; align-items: center; padding-inline: .75rem .5rem; border-block-end: 1px solid var(--line);
  }
  .tabs { display: flex; flex: 1; min-inline-size: 0; overflow-x: auto; scrollbar-width: none; padding: 3px; gap: .125rem; }
  [role='tab'] {
    flex: none; min-block-size: 2.5rem; padding: 0 .75rem; border: 0; border-radius: var(--corner) var(--corner) 0 0;
    background: none; color: inherit; font: inherit; font-weight: 550; cursor: pointer; white-space: nowrap;
    border-block-end: 3px solid transparent;
  }
  [role='tab']:hover { background: var(--field); }
  [role='tab'][aria-selected='true'] { border-block-end-color: var(--oui-accent, light-dark(#2456d6, #8ea6ff)); }
  .count { padding: 0 .4rem; border-radius: 99px; background: var(--field); font-size: .75rem; font-variant-numeric: tabular-nums; }
  .status { display: flex; flex: none; gap: .4rem; align-items: center; font-size: .8125rem; }
  .dot { inline-size: .6rem; block-size: .6rem; border-radius: 50%; background: color-mix(in srgb, CanvasText 45%, Canvas); }
  .dot.connected { background: var(--good); }
  .dot.connecting { background: var(--busy); }
  .content { overflow: auto; overscroll-behavior: contain; min-block-size: 0; }
  .empty { margin: 0; padding: 1.5rem 1rem; color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); }
  h3 { margin: 0 0 .5rem; font-size: 1rem; line-height: 1.3; overflow-wrap: anywhere; }
  h3 code { font-weight: 400; font-size: .8125rem; }
  .minor { margin: .75rem 0 .25rem; font-size: .8125rem; }
  p { margin: 0 0 .5rem; overflow-wrap: anywhere; }
  .muted { font-size: .8125rem; color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); }
  code, pre, .code { font-family: var(--oui-mono, ui-monospace, monospace); font-size: .8125rem; }
  pre {
    margin: .25rem 0; padding: .5rem .75rem; max-block-size: 16rem; overflow: auto; white-space: pre-wrap;
    overflow-wrap: anywhere; unicode-bidi: plaintext; tab-size: 2; line-height: 1.45; border-radius: var(--corner);
    background: var(--field);
  }
  summary { padding: .4rem 0; cursor: pointer; font-weight: 550; }

  button, input, select, textarea {
    font: inherit; color: inherit; border: 1px solid color-mix(in srgb, CanvasText 45%, Canvas);
    border-radius: var(--corner); background: var(--oui-surface, Canvas);
  }
  button { min-block-size: 2.25rem; padding: .2rem .8rem; font-weight: 550; cursor: pointer; }
  button:hover { background: var(--field); }
  button[aria-pressed='true'] { background: color-mix(in srgb, var(--busy) 18%, Canvas); }
  button[aria-disabled='true'] { opacity: .6; cursor: default; }
  .primary {
    color: var(--oui-on-accent, #fff); background: var(--oui-accent, #2456d6); border-color: transparent;
  }
  .primary:hover { background: color-mix(in srgb, var(--oui-accent, #2456d6) 88%, CanvasText); }
  .quiet { border-color: transparent; }
  .danger { color: var(--bad); }
  .small { min-block-size: 2rem; padding-block: 0; font-size: .8125rem; }
  .close { min-inline-size: 2.5rem; min-block-size: 2.5rem; padding: 0; }
  input:not([type='checkbox'], [type='radio']), select, textarea {
    inline-size: 100%; min-block-size: 2.25rem; padding: .3rem .5rem;
  }
  textarea { resize: vertical; }
  [aria-invalid='true'] { border-color: var(--bad); }
  [aria-invalid='true']:not(:focus-visible) { outline: 1px solid var(--bad); }
  input[type='checkbox'], input[type='radio'] { inline-size: 1.15rem; block-size: 1.15rem; margin: 0; }

  .split { display: grid; grid-template-columns: minmax(14rem, 22rem) minmax(0, 1fr); block-size: 100%; }
  .tree, .detail { overflow: auto; overscroll-behavior: contain; }
  .tree { margin: 0; padding: .5rem; list-style: none; border-inline-end: 1px solid var(--line); }
  [role='treeitem'] {
    display: flex; gap: .4rem; align-items: center; min-block-size: 2rem; padding-inline: .375rem;
    border-radius: var(--corner); cursor: pointer;
  }
  [role='treeitem'][aria-level='2'] { padding-inline-start: 1.25rem; font-family: var(--oui-mono, ui-monospace, monospace); font-size: .8125rem; }
  [role='treeitem'][aria-level='1'] { font-weight: 600; }
  [role='treeitem']:hover { background: var(--field); }
  [role='treeitem'][aria-selected='true'] { background: color-mix(in srgb, var(--oui-accent, #2456d6) 22%, Canvas); }
  .label { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .fold, .leaf { flex: none; inline-size: 1rem; text-align: center; }
  .fold::before { content: '▸'; }
  [aria-expanded='true'] > .fold::before { content: '▾'; }
  .chip {
    flex: none; display: inline-block; padding: 0 .45rem; border: 1px solid var(--line); border-radius: 99px;
    font: 500 .75rem/1.5 var(--oui-font, system-ui, sans-serif); white-space: nowrap;
  }
  .chip.ok, .chip.done, .chip.connected { border-color: var(--good); color: var(--good); }
  .chip.denied, .chip.failed { border-color: var(--bad); color: var(--bad); }
  .chip.asking, .chip.wait, .chip.waiting, .chip.running, .chip.queued, .chip.job, .chip.connecting {
    border-color: var(--busy); color: var(--busy);
  }
  .chip.off { border-style: dashed; }
  .detail { padding: .75rem 1rem 1.25rem; }
  .detail > * { max-inline-size: 52rem; }
  .marks { display: flex; flex-wrap: wrap; gap: .25rem; margin-block-end: .5rem; }
  .marks:empty { display: none; }
  .facts { display: grid; gap: .125rem; margin: 0 0 .75rem; }
  .facts > div { display: grid; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr); gap: .75rem; }
  dt { color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); }
  dd { margin: 0; overflow-wrap: anywhere; }
  .switch { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; padding: .375rem 0; margin-block-end: .5rem; }
  .switch input {
    appearance: none; position: relative; inline-size: 2.25rem; block-size: 1.25rem; border-radius: 99px; cursor: pointer;
    background: color-mix(in srgb, CanvasText 30%, Canvas); border-color: transparent;
  }
  .switch input::before {
    content: ''; position: absolute; inset-block-start: 2px; inset-inline-start: 2px; inline-size: calc(1.25rem - 6px);
    block-size: calc(1.25rem - 6px); border-radius: 50%; background: #fff;
  }
  .switch input:checked { background: var(--oui-accent, #2456d6); }
  .switch input:checked::before { inset-inline-start: calc(1rem + 2px); }
  .switch input:disabled { opacity: .5; cursor: default; }

  .try { margin-block: .5rem .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: var(--corner); }
  .modes { display: flex; gap: 1rem; margin-block-end: .75rem; }
  .modes label { display: flex; gap: .4rem; align-items: center; min-block-size: 1.75rem; cursor: pointer; }
  .field { margin-block-end: .75rem; }
  .field > label { display: block; margin-block-end: .2rem; }
  .name { font-weight: 600; }
  .title { font-weight: 500; }
  .hint { margin: .2rem 0 0; font-size: .8125rem; color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); }
  .wrong { margin: .2rem 0 0; font-size: .8125rem; font-weight: 550; color: var(--bad); }
  .fixed { display: block; padding: .3rem 0; font-family: var(--oui-mono, ui-monospace, monospace); font-size: .8125rem; }
  fieldset { min-inline-size: 0; margin: 0 0 .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: var(--corner); }
  fieldset > .hint { margin-block-end: .5rem; }
  legend { padding-inline: .25rem; }
  .item { padding-block: .25rem; }
  .item + .item { border-block-start: 1px dashed var(--line); }
  .item .field, .item fieldset { margin-block-end: .25rem; }
  .buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
  .result { margin-block-start: .5rem; }
  .said { font-weight: 600; margin-block: .5rem .25rem; }
  .said:empty { margin: 0; }
  .ok > .said { color: var(--good); }
  .failed > .said { color: var(--bad); }
  .issues, .reasons, .steps, .log { margin: 0 0 .5rem; padding-inline-start: 1.25rem; }
  .log { padding: 0; list-style: none; max-block-size: 18rem; overflow: auto; }

  .bar {
    position: sticky; inset-block-start: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
    padding: .5rem .75rem; border-block-end: 1px solid var(--line); background: var(--oui-surface, Canvas);
  }
  .filter { flex: 1 1 10rem; max-inline-size: 24rem; }
  .bar select { inline-size: auto; }
  .note { margin: 0; padding: .375rem .75rem; }
  .rows { margin: 0; padding: 0; list-style: none; }
  .row { border-block-end: 1px solid var(--line); }
  .head {
    display: flex; gap: .75rem; align-items: center; inline-size: 100%; min-block-size: 2.25rem; padding: .2rem .75rem;
    border: 0; border-radius: 0; font-weight: 400; text-align: start;
  }
  .head:focus-visible { outline-offset: -3px; }
  .head .chip { min-inline-size: 5.5rem; text-align: center; }
  .number { flex: none; font-variant-numeric: tabular-nums; min-inline-size: 4.5rem; text-align: end; }
  .once { font-family: var(--oui-mono, ui-monospace, monospace); font-size: .8125rem; margin-inline-start: .5rem; }
  .body { padding: .25rem .75rem .75rem 1.25rem; }
  .arrow { flex: none; inline-size: 1rem; font-weight: 700; }
  .arrow.in::before { content: '↓'; color: var(--good); }
  .arrow.out::before { content: '↑'; color: light-dark(#2456d6, #8ea6ff); }
  .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem 2rem; padding: .75rem 1rem 1.25rem; }

  @media (max-width: 44rem) {
    .split { grid-template-columns: minmax(0, 1fr); align-content: start; block-size: auto; }
    .tree { border-inline-end: 0; border-block-end: 1px solid var(--line); max-block-size: 14rem; overflow: auto; }
    .status { display: none; }
    /* More of them than there is room for: the last one fades away where the row goes on. */
    .tabs { padding-inline-end: 1.5rem; scroll-padding-inline: 1.5rem; mask-image: linear-gradient(to right, #000 calc(100% - 1.5rem), transparent); }
    .tabs:dir(rtl) { mask-image: linear-gradient(to left, #000 calc(100% - 1.5rem), transparent); }
    .head { flex-wrap: wrap; gap: .125rem .5rem; padding-block: .4rem; }
    .head .label { flex: 1 1 calc(100% - 7rem); }
    .head .label + .number { margin-inline-start: auto; }
    .bar .filter { flex-basis: 100%; max-inline-size: none; }
    .head .chip { min-inline-size: 0; }
    .number { min-inline-size: 0; }
    .facts > div { grid-template-columns: minmax(7rem, 40%) minmax(0, 1fr); }
    button, [role='treeitem'] { min-block-size: 2.5rem; }
  }
  @media (prefers-reduced-motion: no-preference) {
    .switch input, .switch input::before { transition: background .12s, inset-inline-start .12s; }
  }
  @media (forced-colors: active) {
    .switch input { appearance: auto; }
    .dot { background: CanvasText; forced-color-adjust: none; }
  }
`];
