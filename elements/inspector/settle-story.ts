import type { SettleEnd, SettleMoment, WorkKind } from '../../src/protocol/inspection.js';
import * as LIMITS from '../../src/protocol/limits.js';

/** What a result waited for, and for how long. Times in ms after the handler returned; negative: before. */
export interface SettleReason {
  readonly kind: 'surfaces' | 'observation' | 'hold' | 'work';
  /** Of the observation (`surface.observation`), the hold, or the work. */
  readonly name: string;
  /** How often it happened. */
  count: number;
  from: number;
  /** When it happened last or ended; `undefined`: it goes on. */
  to: number | undefined;
  /** It was seen and did not count: it changes all the time. */
  readonly ignored: boolean;
}

/** Why the result of one call waited. */
export interface SettleStory {
  /** Unix epoch, ms: when the handler returned. */
  readonly returnedAt: number | undefined;
  readonly quietMs: number | undefined;
  readonly reasons: readonly SettleReason[];
  readonly end: { readonly settled: boolean; readonly why: SettleEnd; readonly ms: number } | undefined;
  /** Moments that were not kept. */
  readonly dropped: number;
}

interface Told {
  readonly at: number;
  readonly moment: SettleMoment;
}

/** Collects the moments of one call's settling. */
export class SettleStoryTeller {
  readonly #told: Told[] = [];
  #dropped = 0;

  add(at: number, moment: SettleMoment): void {
    const { kind } = moment;
    if (this.#told.length < LIMITS.inspectedMoments || kind === 'waiting' || kind === 'end') this.#told.push({ at, moment });
    else this.#dropped += 1;
  }

  /** `undefined` when nothing was told: the result waited for nothing. */
  story(): SettleStory | undefined {
    const first = this.#told[0];
    if (!first) return undefined;
    const returned = this.#told.find(({ moment }) => moment.kind === 'waiting');
    const since = returned?.at ?? first.at;
    const end = this.#ended;
    const waiting = returned?.moment.kind === 'waiting' ? returned.moment : undefined;
    return {
      returnedAt: returned?.at,
      quietMs: waiting?.quietMs,
      reasons: reasonsOf(this.#told, since),
      end: end?.moment.kind === 'end'
        ? { settled: end.moment.settled, why: end.moment.why, ms: end.at - since }
        : undefined,
      dropped: this.#dropped,
    };
  }

  get #ended(): Told | undefined {
    return this.#told.find(({ moment }) => moment.kind === 'end');
  }
}

function reasonsOf(told: readonly Told[], since: number): SettleReason[] {
  const reasons = new Map<string, SettleReason>();
  /** Things that last: how many of one name are open. */
  const open = new Map<SettleReason, number>();
  const happened = (kind: SettleReason['kind'], name: string, at: number, ignored = false): SettleReason => {
    const key = `${kind} ${name} ${ignored}`;
    const known = reasons.get(key);
    if (known) {
      known.count += 1;
      if (known.to !== undefined) known.to = at - since;
      return known;
    }
    const made: SettleReason = { kind, name, count: 1, from: at - since, to: at - since, ignored };
    reasons.set(key, made);
    return made;
  };
  const begins = (kind: 'hold' | 'work', name: string, at: number): void => {
    const reason = happened(kind, name, at);
    open.set(reason, (open.get(reason) ?? 0) + 1);
    reason.to = undefined;
  };
  const ends = (kind: 'hold' | 'work', name: string, at: number): void => {
    const reason = reasons.get(`${kind} ${name} false`) ?? happened(kind, name, at);
    const left = Math.max(0, (open.get(reason) ?? 1) - 1);
    open.set(reason, left);
    if (left === 0) reason.to = at - since;
  };
  for (const { at, moment } of told) {
    switch (moment.kind) {
      case 'surfaces':
        happened('surfaces', '', at);
        break;
      case 'observation':
        happened('observation', `${moment.surfaceId}.${moment.observationId}`, at, moment.ignored === true);
        break;
      case 'hold':
        begins('hold', moment.name, at);
        break;
      case 'release':
        ends('hold', moment.name, at);
        break;
      case 'work':
        begins('work', moment.work satisfies WorkKind, at);
        break;
      case 'work-ended':
        ends('work', moment.work, at);
        break;
      case 'waiting':
        // Those that were opened before anybody listened to this call.
        for (const name of moment.holds) if (!reasons.has(`hold ${name} false`)) begins('hold', name, at);
        break;
      case 'end':
        break;
    }
  }
  return [...reasons.values()];
}
