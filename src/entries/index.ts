/** `oui-elements`: spec, core, transport and agent in one. No side effects, no elements. */
export * from './agent.js';
export * from './core.js';
export * from './spec.js';
export * from './transport.js';
