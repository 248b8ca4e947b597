import { EVENT } from '../../src/protocol/events.js';
import type { OUIError } from '../../src/protocol/events.js';
import type { InspectedFrame } from '../../src/protocol/inspection.js';
import type { JsonObject } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { isJsonObject } from '../../src/protocol/shape.js';
import { errorWithoutSecrets, HIDDEN_VALUE, hidesAnything, withoutSecrets } from './secret-values.js';
import type { SchemaOf } from './secret-values.js';
import { hidesOfObservation, shownObservation, shownObservations } from './shown-observation.js';
import { TextFilter } from './text-filter.js';

/** Stands for what cannot be read, and might be what must not be seen. */
const UNREAD = '"…"';

/** A frame and its number, counted from the first that was seen. */
export interface LoggedFrame extends InspectedFrame {
  readonly number: number;
}

/** A request whose params or result have something that must not be seen. */
interface SecretRequest {
  /** As they are shown. */
  readonly params: unknown;
  readonly surfaceId: string;
  readonly actionId: string;
}

/** The frames of a connection, newest first, bounded like the calls. */
export class FrameLog {
  readonly #schemaOf: SchemaOf;
  readonly #hidesSome: () => boolean;
  readonly #filter = new TextFilter<LoggedFrame>(({ type, payload }) => [type, payload]);
  #frames: LoggedFrame[] = [];
  readonly #secret = new Map<string, SecretRequest>();
  #length = 0;
  #count = 0;
  #bytes = 0;
  /** Frames are counted and not kept. */
  paused = false;

  /** `schemaOf`: as in the log of calls. `hidesSome`: whether any of those schemas hides anything. */
  constructor(schemaOf: SchemaOf, hidesSome: () => boolean = () => true) {
    this.#schemaOf = schemaOf;
    this.#hidesSome = hidesSome;
  }

  add(frame: InspectedFrame): void {
    this.#count += 1;
    this.#bytes += frame.bytes;
    if (this.paused) {
      if (frame.type === EVENT.request) this.#shownPayload(frame);
      return;
    }
    const shown = { ...frame, payload: this.#shownPayload(frame), number: this.#count };
    this.#frames.push(shown);
    this.#length += shown.payload.length;
    while (this.#frames.length > 1
      && (this.#frames.length > LIMITS.inspectedFrames || this.#length > LIMITS.inspectedLength)) {
      this.#length -= this.#frames.shift()!.payload.length;
    }
  }

  /** Newest first: those whose type or payload contains the text. */
  frames(text = ''): LoggedFrame[] {
    return this.#filter.matching(this.#frames, text).reverse();
  }

  /** How many are kept. */
  get size(): number {
    return this.#frames.length;
  }

  /** All that went by, kept or not. */
  get total(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  clear(): void {
    this.#frames = [];
    this.#secret.clear();
    this.#length = this.#count = this.#bytes = 0;
  }

  /**
   * Values that must not be seen travel in requests, results and observations. What was cut cannot be read, so it is
   * not shown at all.
   */
  #shownPayload(frame: InspectedFrame): string {
    switch (frame.type) {
      case EVENT.request:
        return this.#shownRequest(frame);
      case EVENT.result:
        return this.#shownResult(frame);
      case EVENT.observation:
        return this.#shownUpdate(frame);
      default:
        return frame.payload;
    }
  }

  /** Ids stand first: the value, which may be large and come with every frame, is read only if it has to be. */
  #shownUpdate({ payload, cut }: InspectedFrame): string {
    const [surfaceId, observationId] = ['surfaceId', 'observationId'].map((name) => textMember(payload, name));
    if (surfaceId !== undefined && observationId !== undefined
      && !hidesOfObservation(surfaceId, observationId, this.#schemaOf)) return payload;
    if (cut) return UNREAD;
    const update: unknown = JSON.parse(payload);
    if (!isJsonObject(update)) return payload;
    const ids = [String(update['surfaceId']), String(update['observationId'])] as const;
    return JSON.stringify({ ...update, value: shownObservation(update['value'], ...ids, this.#schemaOf) });
  }

  #shownRequest({ payload, cut }: InspectedFrame): string {
    try {
      const request = JSON.parse(payload) as JsonObject;
      const [surfaceId, actionId] = [String(request['surfaceId']), String(request['actionId'])];
      const input = this.#schemaOf(surfaceId, actionId, 'input');
      const hides = hidesAnything(input);
      const params = withoutSecrets(request['params'], input);
      if (hides || hidesAnything(this.#schemaOf(surfaceId, actionId, 'output'))) {
        this.#remember(String(request['requestId']), { params, surfaceId, actionId });
      }
      return hides ? JSON.stringify({ ...request, params }) : payload;
    } catch {
      if (cut) this.#rememberCut(payload);
      return cut ? UNREAD : payload;
    }
  }

  /** What its result says of its params must not be seen either. */
  #rememberCut(payload: string): void {
    const [id, surfaceId = '', actionId = ''] = ['requestId', 'surfaceId', 'actionId'].map((name) => textMember(payload, name));
    const schemas = (['input', 'output'] as const).map((part) => this.#schemaOf(surfaceId, actionId, part));
    if (id !== undefined && (actionId === '' || schemas.some(hidesAnything))) {
      this.#remember(id, { params: HIDDEN_VALUE, surfaceId, actionId });
    }
  }

  #shownResult({ payload, cut }: InspectedFrame): string {
    if (this.#secret.size === 0 && !this.#hidesSome()) return payload;
    if (cut) return this.#mayBeSecret(payload) ? UNREAD : payload;
    const result: unknown = JSON.parse(payload);
    if (!isJsonObject(result)) return payload;
    const observations = shownObservations(result['observations'], this.#schemaOf);
    const request = this.#secret.get(String(result['requestId']));
    if (!request && observations === result['observations']) return payload;
    return JSON.stringify({
      ...result,
      ...(request && this.#shownOutcome(result, request)),
      ...(observations !== undefined && { observations }),
    });
  }

  #shownOutcome({ data, error }: JsonObject, { params, surfaceId, actionId }: SecretRequest): object {
    return {
      ...(data !== undefined && { data: withoutSecrets(data, this.#schemaOf(surfaceId, actionId, 'output')) }),
      ...(isJsonObject(error) && { error: errorWithoutSecrets(error as unknown as OUIError, params) }),
    };
  }

  /** Of a result that was cut. Which observations are in it is not known. */
  #mayBeSecret(payload: string): boolean {
    const id = textMember(payload, 'requestId');
    if (id === undefined || this.#secret.has(id)) return true;
    return payload.includes('"observations":') && this.#hidesSome();
  }

  #remember(id: string, request: SecretRequest): void {
    this.#secret.set(id, request);
    for (const each of this.#secret.keys()) {
      if (this.#secret.size <= LIMITS.inspectedFrames) return;
      this.#secret.delete(each);
    }
  }
}

/** A member of an object whose JSON was cut: the first of this name, among those that stand before all values. */
function textMember(payload: string, name: string): string | undefined {
  const [start = ''] = /^\{(?:"\w+":"(?:[^"\\]|\\.)*",?)*/.exec(payload) ?? [];
  const [, text] = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(start) ?? [];
  return text === undefined ? undefined : JSON.parse(text) as string;
}
