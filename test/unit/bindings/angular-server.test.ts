import {
  createEnvironmentInjector, EnvironmentInjector, PLATFORM_ID, runInInjectionContext, signal,
} from '@angular/core';
import { describe, expect, it } from 'vitest';
import {
  injectObservation, injectSurface, injectSurfaceHold, provideSurfaceRuntime,
} from '../../../src/entries/angular.js';
import { bench, surfaceOf } from '../surface/runtime-bench.js';

const surface = surfaceOf<{ count: number }>([{ id: 'go_on' }], [{ id: 'value' }]);

describe('on a server', () => {
  it('what a component injects is there, and nothing is mounted', () => {
    const { runtime } = bench();
    // As platform-server says of itself.
    const platform = { provide: PLATFORM_ID, useValue: 'server' };
    const root = createEnvironmentInjector([platform, provideSurfaceRuntime(runtime)], null as never as EnvironmentInjector);
    const count = signal(1);
    const mounted = runInInjectionContext(root, () => {
      const handle = injectSurface({ surface, context: () => ({ count: count() }) });
      injectObservation(handle, 'value', count);
      injectObservation(handle, 'value', { subscribe: () => expect.unreachable('followed on a server') });
      injectSurfaceHold(true);
      return handle;
    });
    expect(mounted.surfaceId).toBe('todo-app');
    expect(runtime.snapshot().surfaces).toEqual([]);
    expect(runtime.engine).toBeNull();
    root.destroy();
  });
});
