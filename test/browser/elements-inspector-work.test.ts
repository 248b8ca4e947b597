import { expect } from 'chai';
import type { InspectorTexts } from '../../elements/inspector/inspector-texts.js';
import { ENGLISH } from '../../elements/inspector/inspector-texts.js';
import type { OuiInspectorElement } from '../../elements/oui-inspector.js';
import { resetWarnings } from '../../src/protocol/warn-once.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { clear, find, nextFrame, offered, render, runtimeOf } from './fixtures/elements-page.js';
import { element, inspectorIn, shown, text, type } from './fixtures/inspector-page.js';

const MARKUP = `
  <oui-runtime></oui-runtime>
  <oui-surface surface-id="busy" name="Busy" description="Changes all the time.">
    <oui-action action-id="add" description="Adds" input='{"type":"object","properties":{"title":{"type":"string"}}}'></oui-action>
    <oui-action action-id="not_now" description="Later" disabled></oui-action>
    <oui-observation observation-id="ticks" description="Ticks" type="integer"></oui-observation>
  </oui-surface>`;
const FRAMES = 30;

/** How often it drew, looked into the runtime, and drew a list: that is counted by the texts in its rows. */
const NONE = { draws: 0, reads: 0, trees: 0, values: 0, frames: 0 };
const work = { ...NONE };

const COUNTING: Partial<InspectorTexts> = {
  disabled: (reason) => {
    work.trees += 1;
    return ENGLISH.disabled(reason);
  },
  perSecond: (count) => {
    work.values += 1;
    return ENGLISH.perSecond(count);
  },
  frameTotal: (...total) => {
    work.frames += 1;
    return ENGLISH.frameTotal(...total);
  },
};

function countReads(runtime: SurfaceRuntime): void {
  const inspect = runtime.inspect.bind(runtime);
  Object.defineProperty(runtime, 'inspect', {
    configurable: true,
    value: (...args: Parameters<SurfaceRuntime['inspect']>) => {
      const inspection = inspect(...args);
      const { surfaces } = inspection;
      return Object.assign(inspection, {
        surfaces: () => {
          work.reads += 1;
          return surfaces();
        },
      });
    },
  });
}

describe('the work of <oui-inspector>', () => {
  let root: HTMLElement;
  let inspector: OuiInspectorElement;
  let tick = 0;

  beforeEach(async () => {
    localStorage.clear();
    resetWarnings();
    root = await render(MARKUP);
    find(root, 'oui-observation').value = (tick = 0);
    await offered(root, ({ actions }) => actions.length === 2);
    countReads(runtimeOf(root));
    inspector = document.createElement('oui-inspector');
    inspector.texts = COUNTING;
    inspector.open = true;
    // Each drawing asks in which language it is.
    Object.defineProperty(inspector, 'lang', {
      get: () => {
        work.draws += 1;
        return 'en';
      },
    });
    root.append(inspector);
    await inspectorIn(root);
    await shown(inspector, '[role=tree]');
  });
  afterEach(clear);

  /** The page changes with every frame, as it would on its own. */
  const busyFrames = async (frames = FRAMES): Promise<void> => {
    for (let frame = 0; frame < frames; frame++) {
      find(root, 'oui-observation').value = ++tick;
      await nextFrame();
    }
  };
  /** Counts from here on: what was still to be drawn is drawn before. */
  const reset = async (): Promise<void> => {
    inspector.requestUpdate();
    await inspector.updateComplete;
    await nextFrame();
    await nextFrame();
    Object.assign(work, NONE);
  };

  it('is no reading and no drawing of surfaces while only values change', async () => {
    await reset();
    await busyFrames();
    expect(work).to.include({ reads: 0, trees: 0, values: 0 });
    find(root, 'oui-surface').querySelector('oui-action')!.setAttribute('disabled', '');
    await shown(inspector, '[data-key="busy add"]', (row) => text(row).includes('not available'));
    expect(work.trees).to.be.at.least(2);
    runtimeOf(root).consent.set('busy', 'add', false);
    await shown(inspector, '[data-key="busy add"] .denied');
  });

  it('is a drawing of values a few times a second, however often they change', async () => {
    element(inspector, '#tab-observations').click();
    await shown(inspector, '[part=observations]');
    await reset();
    const since = performance.now();
    await busyFrames();
    const most = 2 + (performance.now() - since) / LIMITS.inspectedDrawMs;
    expect(work.values).to.be.within(1, most);
    expect(work.reads).to.equal(work.values);
    expect(work.draws).to.be.at.most(most);
    await shown(inspector, '.row', (row) => text(row).includes(String(tick)));
  });

  it('is none while it is closed, and what is now when it is opened', async () => {
    element(inspector, '#tab-observations').click();
    await shown(inspector, '[part=observations]');
    element(inspector, '[part=close]').click();
    await shown(inspector, '.launcher');
    const drawn: MutationRecord[] = [];
    const watch = new MutationObserver((records) => drawn.push(...records));
    watch.observe(inspector.shadowRoot!, { subtree: true, childList: true, characterData: true, attributes: true });
    await reset();
    await busyFrames();
    await runtimeOf(root).execute({ surfaceId: 'busy', actionId: 'not_now', params: {} });
    await busyFrames(2);
    expect([work, drawn]).to.deep.equal([NONE, []]);
    watch.disconnect();
    element(inspector, '.launcher').click();
    await shown(inspector, '.row', (row) => text(row).includes(String(tick)));
    await shown(inspector, '#tab-calls', (tab) => text(tab) === 'Calls 1');
  });

  it('is none while it is not to be seen', async () => {
    element(inspector, '#tab-observations').click();
    await shown(inspector, '[part=observations]');
    const seen = (wanted: boolean): Promise<void> => new Promise((resolve) => {
      const watch = new IntersectionObserver((entries) => {
        if (entries.at(-1)!.isIntersecting !== wanted) return;
        watch.disconnect();
        resolve();
      });
      watch.observe(element(inspector, '.panel'));
    });
    inspector.hidden = true;
    await seen(false);
    await reset();
    await busyFrames();
    expect(work).to.deep.equal(NONE);
    inspector.hidden = false;
    await seen(true);
    await shown(inspector, '.row', (row) => text(row).includes(String(tick)));
  });

  it('is one form of a thousand actions, and no other row while something is typed into it', async () => {
    const mounted = runtimeOf(root).mount(defineSurface({
      id: 'many', name: 'Many', description: 'A thousand actions.',
      actions: Array.from({ length: 1_000 }, (_, at) => ({
        id: `act_${at}`, description: 'Acts', handler: () => at,
        input: { type: 'object', properties: { title: { type: 'string' } } },
      })),
    }), undefined as never);
    await shown(inspector, '[data-key="many act_999"]');
    expect(inspector.shadowRoot!.querySelectorAll('form')).to.have.length(0);
    element(inspector, '[data-key="many act_999"]').click();
    await shown(inspector, 'form');
    expect(inspector.shadowRoot!.querySelectorAll('form')).to.have.length(1);
    await reset();
    type(inspector, '#field%2Ftitle', 'Milk');
    await nextFrame();
    await nextFrame();
    expect(work.trees).to.equal(0);
    mounted.unmount();
  });
});
