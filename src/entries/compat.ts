/** `oui-elements/compat`: the drop-in for `oui-spec`, less its React hooks, which are `oui-elements/react`. */
export * from './compat-core.js';
export * from './compat-spec.js';
export * from './compat-transport.js';
