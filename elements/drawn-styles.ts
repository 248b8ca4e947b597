import { css } from '@lit/reactive-element/css-tag.js';

/** What elements that draw have in common: buttons, focus, and texts for screen readers alone. */
export const DRAWN_STYLES = css`
  button {
    border-radius: calc(var(--oui-radius, 16px) * .625);
    font: inherit; font-weight: 600; cursor: pointer; color: inherit; background: transparent;
    border: 1px solid color-mix(in srgb, CanvasText 38%, Canvas);
  }
  button:hover { background: color-mix(in srgb, CanvasText 8%, transparent); }
  button[aria-disabled='true'] { opacity: .6; cursor: default; }
  :focus-visible { outline: 3px solid var(--oui-focus, #6a9bff); outline-offset: 2px; border-radius: 6px; }
  button:focus-visible { border-radius: calc(var(--oui-radius, 16px) * .625); }
  .unseen {
    position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  @media (forced-colors: active) { button { border-color: ButtonText; } }
`;
