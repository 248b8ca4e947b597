import { createSurfaceRuntime } from 'oui-elements/core';
import type { SurfaceRuntime } from 'oui-elements/core';
import 'oui-elements/elements/oui-approval/define';

/** The runtime of an application that has bindings in place of `<oui-runtime>`. Its page holds an `<oui-approval>`. */
export function createPageRuntime(worker?: string): SurfaceRuntime {
  const approval = document.querySelector('oui-approval')!;
  return createSurfaceRuntime({
    url: `${location.origin.replace(/^http/, 'ws')}/oui/v1`,
    approve: (request, signal) => approval.ask(request, signal),
    ...(worker !== undefined && { worker }),
  });
}
