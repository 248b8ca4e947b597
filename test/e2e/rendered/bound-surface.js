import { defineSurface } from 'oui-elements/core';

/** What the bindings offer, beside the surface in the markup. */
export const surface = defineSurface({
  id: 'bound',
  name: 'Bound',
  description: 'By a binding.',
  actions: [
    {
      id: 'look_at', description: 'Tells the count', effect: 'view', input: {},
      handler: (_params, /** @type {{ count: number }} */ { count }) => count,
    },
  ],
  observations: [{ id: 'count', description: 'The count', schema: { type: 'integer' } }],
});
