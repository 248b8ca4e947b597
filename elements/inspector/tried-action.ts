import type { OUIActionResult, OUIValidationIssue } from '../../src/protocol/events.js';
import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import { buildPointer, parsePointer } from '../../src/protocol/json-pointer.js';
import type { OUIAction } from '../../src/protocol/manifest.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { partAt, withPart } from './draft-value.js';
import type { Steps } from './draft-value.js';
import { initialValue } from './initial-value.js';
import { isSameMember, keptDraft } from './kept-draft.js';

/** One action that is tried by hand: what has been filled in, and what came of it. */
export class TriedAction {
  readonly surfaceId: string;
  readonly actionId: string;
  readonly #changed: () => void;
  #input: JSONSchema;
  #mode: 'form' | 'json' = 'form';
  #draft: unknown;
  /** What the user typed where it is not yet, or not exactly, the value: by pointer. */
  readonly #typed = new Map<string, string>();
  /** What cannot be read of that. */
  readonly #problems = new Map<string, 'json' | 'number'>();
  /** Which shape of a union was chosen: by pointer. */
  readonly #chosen = new Map<string, number>();
  #jsonText = '';
  #jsonProblem: string | undefined;
  #running: AbortController | undefined;
  #result: OUIActionResult | undefined;
  #tookMs = 0;

  constructor(surfaceId: string, action: OUIAction, changed: () => void) {
    this.surfaceId = surfaceId;
    this.actionId = action.id;
    this.#changed = changed;
    this.#input = action.input;
    this.#draft = initialValue(action.input, action.input) ?? {};
  }

  get mode(): 'form' | 'json' {
    return this.#mode;
  }

  get draft(): unknown {
    return this.#draft;
  }

  get jsonText(): string {
    return this.#jsonText;
  }

  get jsonProblem(): string | undefined {
    return this.#jsonProblem;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  get result(): OUIActionResult | undefined {
    return this.#result;
  }

  get tookMs(): number {
    return this.#tookMs;
  }

  /**
   * The action's input may be another now: what was filled in stays as far as it still has a place. JSON that the user
   * writes stays as it is; it is before their eyes.
   */
  adapt(input: JSONSchema): void {
    const before = this.#input;
    if (input === before) return;
    this.#input = input;
    if (JSON.stringify(input) === JSON.stringify(before)) return;
    for (const map of [this.#typed, this.#problems, this.#chosen]) {
      for (const pointer of map.keys()) {
        const [name = ''] = parsePointer(pointer) ?? [];
        if (!isSameMember(name, before, input)) map.delete(pointer);
      }
    }
    // What was wrong with the params was wrong by another schema.
    if (this.issues.length > 0) this.#result = undefined;
    if (this.#mode === 'json') return;
    this.#draft = keptDraft(this.#draft, { schema: before, root: before }, { schema: input, root: input })
      ?? initialValue(input, input) ?? {};
  }

  /** From the form to its JSON and back. JSON that cannot be read stays where it is, and says so. */
  show(mode: 'form' | 'json'): void {
    if (mode === this.#mode) return;
    if (mode === 'json') this.#jsonText = JSON.stringify(this.#draft, null, 2) ?? '';
    else if (!this.#readJson()) return this.#changed();
    else this.#forgetTyped();
    this.#mode = mode;
    this.#changed();
  }

  typeJson(text: string): void {
    this.#jsonText = text;
    this.#readJson();
    this.#changed();
  }

  part(steps: Steps): unknown {
    return partAt(this.#draft, steps);
  }

  /** `undefined` takes it away; an item of a list becomes `null`, since a list has no holes. */
  set(steps: Steps, value: unknown): void {
    const isHole = value === undefined && typeof steps.at(-1) === 'number';
    this.#draft = withPart(this.#draft, steps, isHole ? null : value);
    this.#changed();
  }

  /** Another value in place of this one, with nothing left of what was typed below it. */
  replace(steps: Steps, value: unknown): void {
    const pointer = buildPointer([...steps]);
    const isBelow = (key: string): boolean => key === pointer || key.startsWith(`${pointer}/`);
    for (const map of [this.#typed, this.#problems, this.#chosen]) {
      for (const key of map.keys()) if (isBelow(key)) map.delete(key);
    }
    this.set(steps, value);
  }

  /** An item goes, and those behind it move up. */
  removeItem(list: Steps, index: number): void {
    this.replace(list, (this.part(list) as readonly unknown[]).filter((_, each) => each !== index));
  }

  /** What stands in a field for a number or for JSON. */
  typed(steps: Steps): string {
    const value = this.part(steps);
    return this.#typed.get(buildPointer([...steps])) ?? (value === undefined ? '' : JSON.stringify(value, null, 2));
  }

  /** Reads it as a number or as JSON; nothing is no value. */
  type(steps: Steps, text: string, as: 'json' | 'number'): void {
    const pointer = buildPointer([...steps]);
    this.#typed.set(pointer, text);
    this.#problems.delete(pointer);
    let value: unknown;
    try {
      value = text.trim() === '' ? undefined : JSON.parse(text);
      if (as === 'number' && value !== undefined && typeof value !== 'number') throw new TypeError();
    } catch {
      this.#problems.set(pointer, as);
    }
    this.set(steps, value);
  }

  problem(steps: Steps): 'json' | 'number' | undefined {
    return this.#problems.get(buildPointer([...steps]));
  }

  /** Which shape of a union was chosen; `undefined` before anybody has. */
  chosen(steps: Steps): number | undefined {
    return this.#chosen.get(buildPointer([...steps]));
  }

  choose(steps: Steps, index: number, value: unknown): void {
    this.replace(steps, value);
    this.#chosen.set(buildPointer([...steps]), index);
    this.#changed();
  }

  /** What the runtime found wrong with the params. */
  get issues(): readonly OUIValidationIssue[] {
    const { errors } = (this.#result?.error?.details ?? {}) as { readonly errors?: unknown };
    return Array.isArray(errors) ? (errors as OUIValidationIssue[]) : [];
  }

  /** Those with one value. What is missing is told beside the place where it belongs. */
  issuesAt(steps: Steps): readonly string[] {
    const pointer = buildPointer([...steps]);
    const beside = this.issues.filter(({ path }) => path === pointer);
    // It stands beside the place: the place need not be named.
    return beside.map(({ path, message }) => (message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message));
  }

  /** Nothing that was typed is unreadable. */
  get readable(): boolean {
    return this.#mode === 'json' ? this.#jsonProblem === undefined : this.#problems.size === 0;
  }

  /** Runs it as the page itself would: with validation, approval, queue and settling. */
  async run(runtime: SurfaceRuntime): Promise<void> {
    if (this.#running || !this.readable) return this.#changed();
    const running = new AbortController();
    this.#running = running;
    this.#result = undefined;
    this.#changed();
    const { surfaceId, actionId } = this;
    const params = this.#draft as JsonObject;
    const since = performance.now();
    const result = await runtime.execute({ surfaceId, actionId, params, signal: running.signal });
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#tookMs = result.durationMs ?? Math.round(performance.now() - since);
    this.#result = result;
    this.#changed();
  }

  cancel(): void {
    this.#running?.abort();
  }

  /** As it was at first. What runs is left to itself. */
  reset(input: JSONSchema): void {
    this.#running = undefined;
    this.#result = undefined;
    this.#draft = initialValue(input, input) ?? {};
    this.#forgetTyped();
    this.#jsonText = JSON.stringify(this.#draft, null, 2) ?? '';
    this.#jsonProblem = undefined;
    this.#changed();
  }

  #readJson(): boolean {
    try {
      this.#draft = this.#jsonText.trim() === '' ? {} : JSON.parse(this.#jsonText);
      this.#jsonProblem = undefined;
      return true;
    } catch (error) {
      this.#jsonProblem = (error as Error).message;
      return false;
    }
  }

  #forgetTyped(): void {
    this.#typed.clear();
    this.#problems.clear();
    this.#chosen.clear();
  }
}
