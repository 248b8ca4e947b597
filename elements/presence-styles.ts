import { css } from '@lit/reactive-element/css-tag.js';
import { DRAWN_STYLES } from './drawn-styles.js';

/** Colours follow the user's scheme; a page that has one only sets `--oui-color-scheme`. */
export const PRESENCE_STYLES = [DRAWN_STYLES, css`
  :host { all: initial; display: contents; }
  :host([hidden]) { display: none; }
  .place {
    position: fixed; z-index: var(--oui-layer, 2147483000); pointer-events: none;
    inset-block-end: max(1rem, env(safe-area-inset-bottom)); inset-inline-end: 1rem;
    max-width: calc(100vw - 2rem);
    color-scheme: var(--oui-color-scheme, light dark);
    font: 400 .875rem/1.35 var(--oui-font, system-ui, sans-serif);
  }
  [data-place$='start'] { inset-inline: 1rem auto; }
  [data-place^='top'] { inset-block: max(1rem, env(safe-area-inset-top)) auto; }
  [data-place='inline'] {
    display: inline-block; position: relative; inset: auto; z-index: auto; max-width: 100%; vertical-align: middle;
  }
  .sign {
    display: flex; align-items: center; gap: .625rem; box-sizing: border-box; min-height: 2.75rem;
    padding: .3125rem .3125rem .3125rem .875rem; pointer-events: auto;
    border: 1px solid var(--oui-border, color-mix(in srgb, CanvasText 18%, Canvas));
    border-radius: 99px;
    color: var(--oui-text, CanvasText); background: var(--oui-surface, Canvas);
    box-shadow: 0 6px 24px rgb(0 0 0 / .18);
  }
  .sign:dir(rtl) { padding: .3125rem .875rem .3125rem .3125rem; }
  [data-place$='start'] .sign, [data-place='inline'] .sign { padding: .3125rem .875rem .3125rem .3125rem; }
  [data-place$='start'] .sign:dir(rtl), [data-place='inline'] .sign:dir(rtl) {
    padding: .3125rem .3125rem .3125rem .875rem;
  }
  .dot {
    position: relative; flex: none; width: .625rem; height: .625rem; border-radius: 50%;
    background: transparent; border: 2px solid var(--oui-muted, color-mix(in srgb, CanvasText 60%, Canvas));
    box-sizing: border-box;
  }
  [data-state='acting'] .dot { background: var(--oui-accent, light-dark(#2456d6, #7da2ff)); border-color: transparent; }
  [data-state='asking'] .dot { background: var(--oui-attention, light-dark(#b45309, #f5b14c)); border-color: transparent; }
  [data-state='paused'] .dot {
    width: .5rem; border: solid var(--oui-attention, light-dark(#b45309, #f5b14c)); border-width: 0 3px; border-radius: 0;
  }
  .words { display: flex; flex: 0 1 auto; gap: 0 .625rem; min-width: 0; }
  .text { flex: 0 1 auto; min-width: 0; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .more { flex: none; color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); white-space: nowrap; }
  .quiet .text { color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); }
  /*
   * Buttons keep their places: they stand at the edge by which the sign hangs, the one that is always there nearest to
   * it. What comes and goes, and texts of another length, move what is on their other side.
   */
  .buttons { display: flex; flex: none; flex-direction: row-reverse; gap: .375rem; margin-inline: .25rem 0; }
  [data-place$='start'] .sign, [data-place='inline'] .sign { flex-direction: row-reverse; justify-content: flex-end; }
  [data-place$='start'] .buttons, [data-place='inline'] .buttons { flex-direction: row; margin-inline: 0 .25rem; }
  /* As wide as the longer of its two names. */
  .pause::after { content: attr(data-other); display: block; height: 0; overflow: hidden; visibility: hidden; }
  button, button:focus-visible { border-radius: 99px; }
  button { min-height: 2rem; padding: .125rem .875rem; }
  .stop {
    border-color: transparent; color: var(--oui-on-danger, light-dark(#fff, #2b0a07));
    background: var(--oui-danger, light-dark(#b3261e, #ff9d94));
  }
  .stop:hover { background: color-mix(in srgb, var(--oui-danger, light-dark(#b3261e, #ff9d94)) 88%, CanvasText); }
  @media (pointer: coarse), (max-width: 30rem) { button { min-height: 2.75rem; padding-inline: 1rem; } }
  @media (max-width: 30rem) {
    .place:not([data-place='inline']) { inset-inline: .75rem; max-width: none; }
    .words { flex-direction: column; }
    .text { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; white-space: normal; }
    .sign { border-radius: 1.625rem; width: fit-content; margin-inline-start: auto; max-width: 100%; }
    [data-place$='start'] .sign { margin-inline: 0 auto; }
  }
  @media (prefers-reduced-motion: no-preference) {
    [data-state='acting'] .dot::after {
      content: ''; position: absolute; inset: -2px; border-radius: 50%;
      background: inherit; animation: pulse 1.6s ease-out infinite;
    }
    @keyframes pulse { from { opacity: .55; transform: scale(1); } to { opacity: 0; transform: scale(2.6); } }
  }
  @media (forced-colors: active) {
    .dot { forced-color-adjust: none; background: CanvasText; }
    .stop { border-color: ButtonText; }
  }
`];
