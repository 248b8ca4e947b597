import { createSurfaceRuntime, defineSurface } from '/oui.js';

const settings = new URLSearchParams(location.search);
const input = { type: 'object', properties: { item: { type: 'string' }, express: { type: 'boolean', default: false } } };

/** Shared by the tabs, so that the test sees what ran in any of them. */
function note(actionId, params) {
  localStorage.setItem(`ran ${performance.timeOrigin + performance.now()}`, JSON.stringify([actionId, params]));
  return 'done';
}

const action = (id, more) => ({ id, description: `Does ${id}`, input, handler: (params) => note(id, params), ...more });

const runtime = createSurfaceRuntime({
  url: settings.get('hub'),
  confirmBy: settings.get('confirmBy') ?? 'page',
});
runtime.mount(defineSurface({
  id: 'shop',
  name: 'Shop',
  description: 'Orders that cannot be taken back.',
  actions: [
    action('place_order', { title: 'Place the order', effect: 'transaction' }),
    action('cancel_order', { effect: 'transaction' }),
    action('write_note', { confirm: true }),
  ],
}));
window.lab = {
  runtime,
  ran: () => Object.keys(localStorage)
    .filter((key) => key.startsWith('ran '))
    .map((key) => JSON.parse(localStorage.getItem(key))),
};
