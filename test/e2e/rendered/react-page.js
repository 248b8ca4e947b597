import { createElement as h, useCallback, useState } from 'react';
import { SurfaceRuntimeProvider, useObservation, useSurface } from 'oui-elements/react';
import { surface } from './bound-surface.js';

/** @param {{ runtime: import('oui-elements/core').SurfaceRuntime }} props */
export function Page({ runtime }) {
  return h(SurfaceRuntimeProvider, { runtime }, h(Counter, { runtime }));
}

/** @param {{ runtime: import('oui-elements/core').SurfaceRuntime }} props */
function Counter({ runtime }) {
  const [count, setCount] = useState(0);
  useObservation(useSurface({ surface, context: { count } }), 'count', count);
  // React sets neither properties nor listeners when it hydrates: there a ref does.
  const shared = useCallback((/** @type {any} */ element) => void (element && (element.runtime = runtime)), [runtime]);
  const raises = useCallback((/** @type {any} */ element) => {
    if (element) element.handler = () => setCount((present) => present + 1);
  }, []);
  const seen = (/** @type {any} */ element) => void (element && (element.value = count));
  return h('main', null,
    h('oui-runtime', { ref: shared }),
    h('oui-surface', { 'surface-id': 'rendered', 'name': 'Rendered', 'description': 'By a server.' },
      h('oui-action', { 'action-id': 'raise', 'description': 'Counts on', 'effect': 'edit', 'ref': raises }),
      h('oui-observation', { 'observation-id': 'count', 'description': 'The count', 'type': 'integer', 'ref': seen })),
    h('p', null, count));
}
