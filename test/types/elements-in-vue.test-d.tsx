/** @jsxImportSource vue */
import type { GlobalComponents } from 'vue';
import type {} from '../../dist/types/vue.js';
import { useSurfaceRuntime } from '../../src/entries/vue.js';

/** The elements in Vue: JSX, and the props that its templates are checked against. `tsc` is the test. */

export const page = (
  <oui-surface surface-id="list" name="List" description="D" class={['wide']} onOuiAction={(event) => event.params}>
    <oui-action key="add" actionId="add" description="D" effect="edit" singleFlight={false} onClick={() => undefined} />
    <oui-observation observation-id="count" description="D" type="integer" value={1} />
  </oui-surface>
);

export const wrong = (
  <>
    {/* @ts-expect-error -- no such effect */}
    <oui-action action-id="a" effect="editing" />
    {/* @ts-expect-error -- Vue would set the text "false", which is there and so counts; singleFlight is the name */}
    <oui-action single-flight={false} />
    {/* @ts-expect-error -- a flag */}
    <oui-action singleFlight="no" />
    {/* @ts-expect-error -- a function that takes the event */}
    <oui-surface onOuiAction={(event: MouseEvent) => event.clientX} />
  </>
);

type Props<Tag extends keyof GlobalComponents> = InstanceType<GlobalComponents[Tag]>['$props'];

export const right: Props<'oui-action'> = { 'action-id': 'a', 'single-flight': true, handler: () => 1, class: 'x' };
// @ts-expect-error -- no such type of value
export const none: Props<'oui-observation'> = { type: 'date' };
// @ts-expect-error -- no such attribute
export const unknown: Props<'oui-hold'> = { until: '.done' };

// One runtime for composables and elements: `<oui-runtime :runtime.prop="useSurfaceRuntime()">`.
export const shared = (): Props<'oui-runtime'> => ({ runtime: useSurfaceRuntime() });
export const sharedInJsx = () => <oui-runtime runtime={useSurfaceRuntime()} />;
// @ts-expect-error -- no runtime
export const unshared: Props<'oui-runtime'> = { runtime: {} };
