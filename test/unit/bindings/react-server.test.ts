import { createElement as h } from 'react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import {
  SurfaceRuntimeProvider, useObservation, useSurface, useSurfaceHold,
} from '../../../src/entries/react.js';
import { bench, surfaceOf } from '../surface/runtime-bench.js';

const surface = surfaceOf<{ count: number }>([{ id: 'go_on' }], [{ id: 'value' }]);

function Page(): ReactElement {
  const mounted = useSurface({ surface, context: { count: 1 } });
  useObservation(mounted, 'value', 1);
  useSurfaceHold(true);
  return h('p', null, mounted.surfaceId);
}

describe('on a server', () => {
  it('a page renders to text, and nothing is mounted', () => {
    const { runtime } = bench();
    const error = vi.spyOn(console, 'error');
    expect(renderToString(h(SurfaceRuntimeProvider, { runtime }, h(Page)))).toBe('<p>todo-app</p>');
    expect(runtime.snapshot().surfaces).toEqual([]);
    expect(runtime.engine).toBeNull();
    expect(error).not.toHaveBeenCalled();
  });
});
