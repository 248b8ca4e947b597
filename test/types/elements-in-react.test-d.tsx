import type {} from '../../dist/types/react.js';
import { defineSurface } from '../../src/entries/core.js';
import { useSurfaceRuntime } from '../../src/entries/react.js';

/** The elements in JSX of React 19. `tsc` is the test. */

const surface = defineSurface({ id: 'list', name: 'List', description: 'D', actions: [
  { id: 'add', description: 'D', input: {}, handler: () => undefined },
] });

export const page = (
  <oui-surface surface-id="list" name="List" description="D" routes={['/a', '/b']} inactive={false} className="wide"
    context={() => 1} onoui-action={(event) => event.respondWith(event.params)}>
    <oui-action key="add" action-id="add" description="D" effect="edit" confirm single-flight={false} aria-label="x"
      input={{ type: 'object' }} handler={(params, _context, { signal }) => [params, signal.aborted]}>
      <oui-param name="title" type="string" required max="60"></oui-param>
    </oui-action>
    <oui-observation observation-id="count" description="D" type="integer" update-frequency="on-change" value={1} />
    <oui-hold while=".spinner" active={true} />
  </oui-surface>
);

export const root = (
  <oui-runtime url="/oui/v1" confirm-by="page" approve={() => true} data-x="y" id="runtime" hidden
    ref={(element) => element?.runtime?.pause()} onoui-connection={({ state }) => state.length}>
    <oui-surface surface={surface} />
    <oui-approval texts={{ allow: 'Ja' }} />
  </oui-runtime>
);

/** One runtime for hooks and elements. */
export const Shared = () => <oui-runtime runtime={useSurfaceRuntime()} />;

export const wrong = (
  <>
    {/* @ts-expect-error -- no runtime */}
    <oui-runtime runtime={{}} />
    {/* @ts-expect-error -- no such effect */}
    <oui-action action-id="a" description="D" effect="editing" />
    {/* @ts-expect-error -- a text, not a number: 0 would count as none */}
    <oui-param name="n" min={0} />
    {/* @ts-expect-error -- a flag */}
    <oui-surface inactive="no" />
    {/* @ts-expect-error -- no function */}
    <oui-action action-id="a" description="D" handler="add" />
    {/* @ts-expect-error -- a server would write it as an attribute that does not exist; single-flight is the name */}
    <oui-action singleFlight />
    {/* @ts-expect-error -- no such attribute */}
    <oui-hold until=".done" />
    {/* @ts-expect-error -- the events are their own classes */}
    <oui-runtime onoui-call={(event: MouseEvent) => event.clientX} />
    {/* @ts-expect-error -- who asks is one of three */}
    <oui-runtime confirm-by="nobody" />
    {/* @ts-expect-error -- no such element */}
    <oui-surfaces />
  </>
);
