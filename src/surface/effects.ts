import type { EngineEffect, InputOf, SettledJob } from '../protocol/engine-messages.js';
import { warnOnce } from '../protocol/warn-once.js';
import type { EngineLink } from './link/engine-link.js';
import type { Journal } from './document/journal.js';
import { callSafely } from '../protocol/listener-set.js';
import type { LocalCalls } from './requests/local-calls.js';
import type { ObservationPublisher } from './mounts/observations.js';
import type { Questions } from './requests/questions.js';
import type { RequestRunner } from './requests/request-runner.js';
import type { PageConnection } from './link/page-connection.js';
import type { PageLifecycle } from './page-lifecycle.js';
import type { Inspections } from './inspection.js';
import type { RuntimeEvent } from './runtime.js';

/** The parts of a runtime that carry out what its engine asks for. */
export interface EffectParts {
  link(): EngineLink;
  readonly connection: PageConnection;
  readonly lifecycle: PageLifecycle;
  readonly journal: Journal;
  readonly calls: LocalCalls;
  readonly runner: RequestRunner;
  readonly publisher: ObservationPublisher;
  readonly questions: Questions;
  readonly inspections: Inspections;
  emit(event: RuntimeEvent): void;
  jobSettled(job: SettledJob): void;
  readonly extension: ((type: string, payload: unknown) => void) | undefined;
  disposed(): boolean;
}

/** Carries out one effect of the present engine. After `dispose` only what brings things to their end. */
export function carryOut(effect: EngineEffect, parts: EffectParts): void {
  switch (effect.kind) {
    case 'send':
      return parts.connection.send(effect);
    case 'reconnect':
      return parts.connection.reconnect(effect.reason);
    case 'journal':
      return parts.journal.record(effect.entry);
    case 'forget':
      parts.runner.attachments.close(effect.requestId);
      return parts.journal.forget(effect.requestId);
    case 'grant-used':
      return parts.lifecycle.grants.use(effect.approvalId, effect.expiresAt);
    case 'taken':
      return parts.link().taken(effect.count);
    case 'executed':
      return parts.calls.finish(effect.requestId, effect.result);
    case 'abort':
      return parts.runner.abort(effect.requestId, effect.error);
    case 'job-settled':
      return parts.jobSettled(effect.job);
    case 'close-question':
      return parts.questions.close(effect.requestId);
    case 'warn':
      return warnOnce(effect.code, effect.message, effect.key);
    case 'store-cleared':
      return parts.lifecycle.cleared(effect.ok);
  }
  if (!parts.disposed()) carryOutAlive(effect, parts);
}

function carryOutAlive(effect: EngineEffect, { link, runner, publisher, questions, ...parts }: EffectParts): void {
  switch (effect.kind) {
    case 'run':
      return runner.run(effect);
    case 'open-attachments': {
      const { requestId } = effect;
      const answer = ifStillThere(link());
      const opened = runner.attachments.open(effect);
      return void opened.then((error) => answer({ kind: 'attached', requestId, ...(error && { error }) }));
    }
    case 'attachment-part':
      return runner.attachments.hear(effect.part);
    case 'event':
      return runner.hear(effect.event, effect.payload);
    case 'read': {
      const { mountId, observationId, requestId } = effect;
      const answer = ifStillThere(link());
      const tell = (observed: InputOf<'observed'>): void =>
        answer(requestId === undefined ? observed : { ...observed, requestId });
      const observed = publisher.read(mountId, observationId);
      return observed instanceof Promise ? void observed.then(tell) : tell(observed);
    }
    case 'status':
      return publisher.tell(effect.mountId, effect.surfaceId, effect.observationId, effect.value);
    case 'checked':
      return publisher.checked(effect.mountId, effect.observationId, effect.version, effect.fits);
    case 'ask-gate': {
      const { requestId } = effect.request;
      const answer = ifStillThere(link());
      return void questions.gate(effect.request).then((open) => answer({ kind: 'gate', requestId, open }));
    }
    case 'ask-user': {
      const { approval, round } = effect;
      const { requestId } = approval;
      const answer = ifStillThere(link());
      const decided = questions.user(approval);
      return void decided.then((decision) => answer({ kind: 'decided', requestId, round, decision }));
    }
    case 'call':
      return parts.emit({ type: 'call', report: effect.report });
    case 'extension':
      return callSafely('The option onExtension of the runtime', () => parts.extension?.(effect.type, effect.payload));
    case 'connection':
      return parts.connection.set(effect.state, effect.reason);
    case 'frame':
      return parts.inspections.frame(effect.frame);
    case 'peer': {
      const { software, features } = effect;
      parts.inspections.peer = { software, features };
      return parts.emit({ type: 'peer', software, features });
    }
  }
}

/** Posts an answer to the engine that asked. One that took over meanwhile asks for itself. */
function ifStillThere(link: EngineLink): (answer: Parameters<EngineLink['post']>[0][number]) => void {
  const { generation } = link;
  return (answer) => {
    if (generation === link.generation) link.post([answer]);
  };
}
