import { expect } from 'chai';
import type { OuiActionEvent } from '../../elements/oui-action-event.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import { find, manifestOf, nextTask, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

/** One surface with one read action, so that results do not wait for a quiet page. */
const PAGE = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="do_it" description="Does it" effect="view">
      <oui-param name="title" default="none"></oui-param>
    </oui-action>
  </oui-surface>`;

const run = (root: ParentNode, params: unknown = {}): Promise<OUIActionResult> => (
  runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'do_it', params }));

function answer(root: HTMLElement, respond: (event: OuiActionEvent) => void): void {
  root.addEventListener('oui-action', respond);
}

describe('<oui-action>', () => {
  const warnings = warningsOfEachTest();

  it('asks by an event, with everything about the call', async () => {
    const root = await render(PAGE);
    const seen: unknown[] = [];
    answer(root, (event) => {
      seen.push([event.surfaceId, event.actionId, event.params, event.target]);
      seen.push([event.bubbles, event.composed, event.cancelable]);
      seen.push([event.signal instanceof AbortSignal, typeof event.requestId]);
      event.respondWith({ said: event.params['title'] });
    });
    const result = await run(root);
    expect(result.success).to.equal(true);
    expect(result.data).to.deep.equal({ said: 'none' });
    const element = find(root, 'oui-action');
    expect(seen).to.deep.equal([
      ['todo-app', 'do_it', { title: 'none' }, element],
      [true, true, false],
      [true, 'string'],
    ]);
  });

  it('takes a promise, an envelope, and a rejection', async () => {
    const root = await render(PAGE);
    const outcomes: (() => unknown)[] = [
      () => Promise.resolve(7),
      () => ({ success: false, error: { code: 'todo:not_found', message: 'No such todo' } }),
      () => Promise.reject(new Error('It broke')),
    ];
    answer(root, (event) => event.respondWith(outcomes.shift()?.()));
    expect((await run(root)).data).to.equal(7);
    expect((await run(root)).error).to.deep.include({ code: 'todo:not_found', message: 'No such todo' });
    expect((await run(root)).error).to.deep.include({ code: 'EXECUTION_ERROR', message: 'It broke' });
  });

  it('is an error when nobody answers, and the error says what to add', async () => {
    const root = await render(PAGE);
    const { success, error } = await run(root);
    expect(success).to.equal(false);
    expect(error?.code).to.equal('EXECUTION_ERROR');
    expect(error?.message).to.match(/<oui-action action-id="do_it"> of surface "todo-app" has no handler.*respondWith/);
  });

  it('refuses a second answer and one that comes late', async () => {
    const root = await render(PAGE);
    const refusals: string[] = [];
    let kept: OuiActionEvent | undefined;
    const attempt = (event: OuiActionEvent): void => {
      try {
        event.respondWith('second');
      } catch (error) {
        refusals.push((error as Error).message);
      }
    };
    answer(root, (event) => {
      kept = event;
      event.respondWith('first');
      attempt(event);
    });
    expect((await run(root)).data).to.equal('first');
    attempt(kept!);
    expect(refusals).to.have.length(2);
    expect(refusals[0]).to.contain('was answered already');

    const silent = await render('');
    silent.remove();
    const lonely = await render(PAGE.replaceAll('todo-app', 'other-app').replace('<oui-runtime></oui-runtime>', ''));
    let late: OuiActionEvent | undefined;
    answer(lonely, (event) => (late = event));
    await runtimeOf(root).execute({ surfaceId: 'other-app', actionId: 'do_it' });
    attempt(late!);
    expect(refusals[2]).to.contain('came too late');
  });

  it('prefers its handler property, also one that was set later', async () => {
    const root = await render(PAGE);
    answer(root, (event) => event.respondWith('event'));
    expect((await run(root)).data).to.equal('event');
    find(root, 'oui-action').handler = ({ title }, _context, { requestId }) => `${String(title)} ${typeof requestId}`;
    expect((await run(root, { title: 'handler' })).data).to.equal('handler string');
  });

  it('reads its schema from an attribute, a property, another element or a script child', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const json = JSON.stringify(schema);
    const root = await render(`<oui-runtime></oui-runtime><template></template><pre id="shared">${json}</pre>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="by_attribute" description="x" input='${json}'></oui-action>
        <oui-action action-id="by_property" description="x"></oui-action>
        <oui-action action-id="by_reference" description="x" input-from="#shared"></oui-action>
        <oui-action action-id="by_script" description="x">
          <script type="application/schema+json">${json}</script>
        </oui-action>
      </oui-surface>`);
    root.querySelectorAll('oui-action')[1]!.input = schema;
    await nextTask();
    for (const { id, input, output } of runtimeOf(root).snapshot().surfaces![0]!.actions) {
      expect(input, id).to.deep.equal(schema);
      // What stands in the script is the input's alone.
      expect(output, id).to.equal(undefined);
    }
    const { error } = await runtimeOf(root).execute({
      surfaceId: 'todo-app', actionId: 'by_script', params: { n: 'x' },
    });
    expect(error?.code).to.equal('VALIDATION_ERROR');
    expect(warnings.texts).to.deep.equal([]);
  });

  it('says while it is disabled why it is', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-action');
    element.handler = () => 'done';
    element.disabled = true;
    element.disabledReason = 'Sign in first';
    await nextTask();
    const { error } = await run(root);
    expect(error?.code).to.equal('PRECONDITION_FAILED');
    expect(error?.message).to.contain('Sign in first');
    element.removeAttribute('disabled');
    element.disabled = false;
    await nextTask();
    expect((await run(root)).data).to.equal('done');
  });

  it('starts a job that its .polling looks at', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-action');
    element.handler = () => ({ jobId: 'j1' });
    const resolve = ({ jobId }: { jobId: string }) => ({ done: true, data: `${jobId} done` });
    element.polling = { intervalMs: 1, resolve };
    await nextTask();
    expect(manifestOf(root).actions[0]?.polling).to.deep.equal({ intervalMs: 1 });
    const { success, data } = await run(root);
    expect([success, data]).to.deep.equal([true, 'j1 done']);
    element.polling = null;
    await nextTask();
    expect((await run(root)).data).to.deep.equal({ jobId: 'j1' });
  });

  it('starts a job that ends with an event on its surface\'s element, wherever that came from', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-action');
    element.resumable = true;
    element.singleFlight = true;
    const filter = { jobId: '$dispatchResult.jobId' };
    element.polling = { intervalMs: 0, subscribe: { event: 'job:complete', filter } };
    const fire = (detail: unknown): boolean =>
      element.dispatchEvent(new CustomEvent('job:complete', { detail, bubbles: true }));
    element.handler = () => {
      fire({ jobId: 'j1', early: true });
      return { jobId: 'j1' };
    };
    await nextTask();
    expect((await run(root)).data).to.deep.equal({ jobId: 'j1', early: true });
    const started = new Promise<void>((resolve) => {
      element.handler = () => {
        resolve();
        return { jobId: 'j2' };
      };
    });
    const ended = run(root);
    await started;
    fire({ jobId: 'j1' });
    fire({ jobId: 'j2', error: { code: 'app:full', message: 'Disk full.' } });
    const { error, data } = await ended;
    expect(error?.code).to.equal('app:full');
    expect((data as { jobId: string }).jobId).to.equal('j2');
    expect(warnings.texts).to.deep.equal([]);
  });

  it('ends its older job when a new one starts, where it says single-flight', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-action');
    element.toggleAttribute('async', true);
    element.toggleAttribute('single-flight', true);
    const started: ((end: (data: string) => void) => void)[] = [];
    const nextStart = (): Promise<(data: string) => void> => new Promise((resolve) => started.push(resolve));
    element.handler = () => new Promise<string>((end) => started.shift()!(end));
    await nextTask();
    const first = nextStart();
    const older = run(root);
    await first;
    const second = nextStart();
    const newer = run(root);
    (await second)('newer');
    expect([(await older).error?.code, (await newer).data]).to.deep.equal(['SUPERSEDED', 'newer']);
  });

  it('with .polling that cannot work is warned about, and its surface is not offered', async () => {
    const root = await render(PAGE);
    find(root, 'oui-action').polling = { intervalMs: -1 };
    await warnings.next(/polling\.intervalMs must be ms, at least 0; it is -1/);
    expect(runtimeOf(root).snapshot().surfaces).to.deep.equal([]);
  });
});
