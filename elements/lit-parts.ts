/** `oui.lit.js`: what elements that draw use of lit, once for all bundles of a page. */
export { LitElement, css, html, nothing, render } from 'lit';
export { guard } from 'lit/directives/guard.js';
export { live } from 'lit/directives/live.js';
export { repeat } from 'lit/directives/repeat.js';
