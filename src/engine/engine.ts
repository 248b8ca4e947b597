import type { EngineEffect, EngineInput } from '../protocol/engine-messages.js';
import type { JournalEntry } from '../protocol/journal-entry.js';
import type { EngineConfig } from '../protocol/engine-config.js';
import type { OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Moment, Validator } from '../protocol/ports.js';
import { Admission } from './admission.js';
import { Answers } from './answers.js';
import { Approvals } from './approvals.js';
import { Attachments } from './attachments.js';
import { EngineContext } from './context.js';
import { Execution } from './execution.js';
import { Inbox } from './inbox.js';
import { Jobs } from './jobs.js';
import type { LedgerEntry } from './ledger.js';
import { OwnActions } from './own-actions.js';
import {
  cancelled, endsEngines, outcomeForgotten, pausedByUser, runtimeDisposed, stoppedByUser, surfaceGone,
} from './engine-errors.js';
import { findAction } from './registry.js';
import { Surfaces } from './surfaces.js';

/**
 * The protocol as a state machine without I/O: an input goes in, a list of effects comes out. It has no clock, no
 * timers and no sockets of its own, so the same code runs in a worker, in a page and in Node, and a test can give
 * it any inputs in any order, at any time.
 */
export class Engine {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #approvals: Approvals;
  readonly #attachments: Attachments;
  readonly #jobs: Jobs;
  readonly #execution: Execution;
  readonly #own: OwnActions;
  readonly #admission: Admission;
  readonly #surfaces: Surfaces;
  readonly #inbox: Inbox;

  constructor(config: EngineConfig, validator: Validator, at: Moment) {
    this.#context = new EngineContext(config, validator, at);
    this.#answers = new Answers(this.#context);
    this.#approvals = new Approvals(this.#context);
    this.#jobs = new Jobs(this.#context, this.#answers);
    this.#attachments = new Attachments(this.#context);
    this.#execution = new Execution(this.#context, this.#answers, this.#approvals, this.#attachments, this.#jobs);
    this.#own = new OwnActions(this.#context, this.#answers, this.#execution);
    this.#admission = new Admission(this.#context, this.#answers, this.#approvals, this.#execution, this.#own);
    this.#surfaces = new Surfaces(this.#context, this.#execution, this.#approvals);
    this.#context.peer.onPlain = () => this.#answers.onPlainPeer();
    this.#inbox = new Inbox(this.#context, this.#answers, {
      request: (request, takesReceipt) => this.#admission.receive(request, 'agent', takesReceipt),
      cancel: (requestId) => this.#cancel(requestId, 'agent'),
      pull: (surfaceId, observationId) => this.#surfaces.pull(surfaceId, observationId),
      attachmentPart: (part) => this.#attachments.onPart(part),
      event: (type, payload) => this.#jobs.onEvent(type, payload),
    });
  }

  /** Takes one input at one moment. @returns what must be done now, in order. */
  step(input: EngineInput, at: Moment): EngineEffect[] {
    this.#context.at = at;
    this.#take(input);
    return this.#context.takeEffects();
  }

  #take(input: EngineInput): void {
    const context = this.#context;
    switch (input.kind) {
      case 'configure':
      case 'watch-frames':
        return;
      case 'restore':
        for (const entry of inOrderOfTurn(input.entries)) this.#restore(entry);
        return;
      case 'mount':
        this.#surfaces.mount(input);
        return this.#jobs.mounted(input.surface.id);
      case 'define':
        return this.#surfaces.define(input);
      case 'unmount':
        return this.#surfaces.unmount(input);
      case 'observe':
        return void this.#surfaces.observe(input, false);
      case 'observed':
        if (input.requestId === undefined) return void this.#surfaces.observe(input, true);
        return this.#own.onObserved(input.requestId, { ...input, value: this.#surfaces.observe(input, false) });
      case 'connected':
        if (input.fresh) this.#answers.dropUndelivered();
        context.peer.onConnected(input);
        return this.#answers.flushUnsent();
      case 'disconnected':
        context.peer.onDisconnected();
        return this.#answers.onDisconnected();
      case 'message':
        return this.#inbox.read(input.message);
      case 'gate':
        return this.#admission.onGate(input.requestId, input.open);
      case 'decided':
        return this.#admission.afterApproval(this.#approvals.onDecided(input.requestId, input.round, input.decision));
      case 'grants':
        return this.#approvals.grants.take(input);
      case 'claimed':
        return this.#execution.onClaimed(input.requestId, input.ok);
      case 'attached':
        return this.#execution.onAttached(input);
      case 'fetch-attachment':
        return this.#attachments.fetch(input);
      case 'dispatched':
        return this.#execution.onDispatched(input);
      case 'returned':
        return this.#execution.onReturned(input);
      case 'loaded':
        return this.#execution.onLoaded(input.requestId, input.data);
      case 'settled':
        return this.#execution.onSettled(input.requestId, input.settled);
      case 'progress':
        return this.#execution.onProgress(input.requestId, input.value);
      case 'execute':
        return this.#admission.receive(input.request, input.nested ? 'nested' : 'local');
      case 'withdraw':
        return this.#cancel(input.requestId, 'page');
      case 'pause':
        context.paused = true;
        return;
      case 'stop':
        context.paused = true;
        this.#approvals.withdrawAsked();
        return this.#endAll((entry) => (hasStarted(entry) ? stoppedByUser(entry.request.actionId) : pausedByUser()));
      case 'resume':
        context.paused = false;
        return this.#approvals.resumed();
      case 'forget-outcomes':
        return this.#forgetOutcomes();
      case 'consent':
        return this.#surfaces.consent(input);
      case 'watch':
        context.watchCalls = input.calls;
        return;
      case 'timer':
        return this.#onTimer(input.key);
      case 'dispose':
        context.disposed = true;
        this.#approvals.withdrawAsked();
        this.#endAll((entry) => runtimeDisposed(hasStarted(entry)));
        for (const { surface } of context.registry.allOffered()) context.peer.deregister(surface.id);
        return context.emit({ kind: 'closed' });
    }
  }

  #onTimer(key: string): void {
    if (this.#admission.isTimer(key)) this.#admission.onTimer(key);
    else if (this.#approvals.isTimer(key)) this.#admission.afterApproval(this.#approvals.onTimer(key));
    else if (!this.#execution.onTimer(key) && !this.#jobs.onTimer(key)) this.#context.peer.onTimer(key);
  }

  /** Each side withdraws requests of its own only. */
  #cancel(requestId: string, by: 'agent' | 'page'): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || (entry.origin === 'agent') !== (by === 'agent')) return;
    const left = by === 'agent' ? this.#approvals.takenBack(entry) : [];
    this.#execution.abandon(entry, cancelled(entry.request.actionId, by, hasStarted(entry)));
    this.#admission.afterApproval(left);
  }

  #endAll(error: (entry: LedgerEntry) => OUIError): void {
    for (const entry of this.#context.ledger.open()) this.#execution.abandon(entry, error(entry));
  }

  /** The user has signed out: what requests came to is told to nobody any more, and nothing of it is kept. */
  #forgetOutcomes(): void {
    const context = this.#context;
    for (const entry of context.ledger.all()) {
      const error = outcomeForgotten(entry.request.actionId);
      if (entry.origin !== 'agent' || entry.acknowledged) continue;
      if (entry.stage === 'answered') this.#answers.retract(entry, error);
      else if (entry.earlier) this.#execution.drop(entry, error);
    }
    this.#approvals.grants.forget();
    context.since = context.at.wall;
    context.emit({ kind: 'clear-store' });
  }

  /** Takes over what an earlier engine left, each request where it stood. Nothing is started twice. */
  #restore(left: JournalEntry): void {
    const { registry, at, config } = this.#context;
    const { surfaceId, actionId } = left.request;
    const mount = registry.mounted(surfaceId);
    const action = mount && findAction(mount.surface, actionId);
    const { acknowledged = false, losses = 0, ...kept } = left;
    const entry: LedgerEntry = {
      ...kept,
      acknowledged,
      losses,
      ...(mount && action ? { action, mountId: mount.mountId } : {}),
      // The time of an earlier document has passed; what it has left is this one's to tell.
      ...(left.earlier && { deadlineAt: at.now + config.actionMs }),
    };
    this.#context.remember(entry);
    if (entry.stage === 'running') this.#execution.resume(entry);
    else if (entry.stage !== 'answered' && losses >= LIMITS.engineLosses) {
      this.#execution.abandon(entry, endsEngines(actionId, losses));
    } else if (entry.stage === 'gate') this.#admission.ask(entry);
    else if (mount && action && entry.question) {
      const outdated = this.#approvals.restore(entry, mount, action);
      if (outdated) this.#execution.abandon(entry, outdated);
    } else if (entry.stage === 'approval') this.#execution.abandon(entry, surfaceGone(surfaceId));
    else if (entry.stage === 'queued') this.#execution.enqueue(entry);
    else this.#approvals.withdraw(entry);
  }
}

/** What runs holds its surface's queue before anything that waits is let in. Among equals: as they came. */
function inOrderOfTurn(entries: readonly JournalEntry[]): JournalEntry[] {
  const turn = ({ stage }: JournalEntry): number => (stage === 'answered' ? 0 : stage === 'running' ? 1 : 2);
  return [...entries].sort((a, b) => turn(a) - turn(b));
}

function hasStarted(entry: LedgerEntry): boolean {
  return entry.stage === 'running' || entry.stage === 'settling';
}
