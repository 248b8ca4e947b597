import { css } from 'lit';
import { DRAWN_STYLES } from './drawn-styles.js';

/** Colours follow the user's scheme; a page that has one only sets `--oui-color-scheme`. */
export const APPROVAL_STYLES = [DRAWN_STYLES, css`
  :host { all: initial; display: contents; }
  dialog {
    box-sizing: border-box; width: min(34rem, calc(100vw - 2rem)); max-height: min(44rem, calc(100dvh - 2rem));
    padding: 0; overflow: hidden; flex-direction: column;
    border: 1px solid var(--oui-border, color-mix(in srgb, CanvasText 18%, Canvas));
    border-radius: var(--oui-radius, 16px);
    color-scheme: var(--oui-color-scheme, light dark);
    color: var(--oui-text, CanvasText); background: var(--oui-surface, Canvas);
    font: 400 1rem/1.5 var(--oui-font, system-ui, sans-serif); text-align: start;
    box-shadow: 0 24px 64px rgb(0 0 0 / .35);
  }
  dialog[open] { display: flex; }
  dialog::backdrop { background: var(--oui-backdrop, rgb(10 14 24 / .55)); }
  .content { padding: 1.5rem 1.5rem 1rem; overflow: auto; }
  h2 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; font-weight: 650; overflow-wrap: anywhere; }
  p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
  .muted { color: var(--oui-muted, color-mix(in srgb, CanvasText 72%, Canvas)); font-size: .875rem; }
  .values { margin-bottom: .375rem; }
  dl {
    margin: 0; padding: .25rem .875rem; border-radius: calc(var(--oui-radius, 16px) * .6);
    background: var(--oui-field, color-mix(in srgb, CanvasText 6%, Canvas));
  }
  dl > div { padding: .625rem 0; }
  dl > div + div { border-top: 1px solid color-mix(in srgb, CanvasText 12%, transparent); }
  dt {
    display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center;
    font-size: .875rem; font-weight: 600; overflow-wrap: anywhere;
  }
  .default {
    padding: 0 .5rem; border-radius: 99px; font-size: .75rem; font-weight: 500;
    border: 1px solid color-mix(in srgb, CanvasText 30%, transparent);
  }
  dd { margin: .125rem 0 0; }
  pre {
    margin: 0; max-height: 13rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
    unicode-bidi: plaintext; tab-size: 2; font: .875rem/1.5 var(--oui-mono, ui-monospace, monospace);
  }
  .file { margin: 0; font-weight: 500; }
  footer {
    display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; padding: .875rem 1.5rem 1.25rem;
    border-top: 1px solid color-mix(in srgb, CanvasText 12%, transparent);
  }
  footer p { flex: 1 1 12rem; margin: 0; font-variant-numeric: tabular-nums; }
  .actions { display: flex; flex: 0 1 auto; gap: .625rem; margin-inline-start: auto; }
  button { min-width: 6.5rem; min-height: 2.75rem; padding: .4rem 1.1rem; }
  .allow { color: var(--oui-on-accent, #fff); background: var(--oui-accent, #2456d6); border-color: transparent; }
  .allow:hover { background: color-mix(in srgb, var(--oui-accent, #2456d6) 88%, CanvasText); }
  .stop {
    min-width: 0; padding-inline: .6rem; border-color: transparent;
    color: var(--oui-danger, light-dark(#b3261e, #ff9d94));
  }
  @media (max-width: 30rem) {
    dialog { width: 100vw; max-width: 100vw; margin: auto 0 0; border-width: 1px 0 0; }
    dialog { border-end-start-radius: 0; border-end-end-radius: 0; }
    .content { padding: 1.25rem 1.25rem .75rem; }
    footer { padding: .75rem 1.25rem 1.25rem; }
    .actions { flex: 1 1 100%; }
    .actions button { flex: 1; }
    button { min-height: 3rem; }
  }
  @media (prefers-reduced-motion: no-preference) {
    dialog[open] { animation: rise .16s ease-out; }
    @keyframes rise { from { opacity: 0; transform: translateY(8px); } }
  }
`];
