import { includes } from '../../../src/validation/character-set.js';
import { readPattern } from '../../../src/validation/pattern-syntax.js';
import type { PatternNode } from '../../../src/validation/pattern-syntax.js';

type Then = (at: number) => boolean;

/** Tries a pattern as the language's own matcher does, alternative by alternative, and counts the steps. */
export class BacktrackingMatcher {
  readonly #node: PatternNode;
  readonly #maxSteps: number;
  #text = '';
  steps = 0;

  constructor(pattern: string, maxSteps: number) {
    this.#node = readPattern(pattern)!;
    this.#maxSteps = maxSteps;
  }

  /** Undefined when it took too many steps, or went deeper than this thread can. */
  test(text: string): boolean | undefined {
    try {
      return this.#test(text);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #test(text: string): boolean | undefined {
    this.#text = text;
    this.steps = 0;
    for (let start = 0; start <= text.length; start++) {
      if (this.#try(this.#node, start, () => true)) return true;
      if (this.steps > this.#maxSteps) return undefined;
    }
    return false;
  }

  #try(node: PatternNode, at: number, then: Then): boolean {
    if (++this.steps > this.#maxSteps) return false;
    switch (node.kind) {
      case 'set':
        return at < this.#text.length && includes(node.set, this.#text.charCodeAt(at)) && then(at + 1);
      case 'assertion':
        if (node.symbol === '^') return at === 0 && then(at);
        if (node.symbol === '$') return at === this.#text.length && then(at);
        return (this.#isWord(at - 1) !== this.#isWord(at)) === (node.symbol === '\\b') && then(at);
      case 'choice':
        return node.options.some((option) => this.#try(option, at, then));
      case 'sequence':
        return this.#sequence(node.parts, 0, at, then);
      case 'repeat':
        return this.#repeat(node, 0, at, then);
      default:
        throw new Error(`not made up here: ${node.kind}`);
    }
  }

  #sequence(parts: readonly PatternNode[], index: number, at: number, then: Then): boolean {
    if (index === parts.length) return then(at);
    return this.#try(parts[index]!, at, (next) => this.#sequence(parts, index + 1, next, then));
  }

  #repeat(node: PatternNode & { readonly kind: 'repeat' }, count: number, at: number, then: Then): boolean {
    const again = (next: number): boolean => {
      if (next === at && count >= node.min) return false;
      return this.#repeat(node, count + 1, next, then);
    };
    if (count < node.max && this.#try(node.body, at, again)) return true;
    return count >= node.min && then(at);
  }

  #isWord(at: number): boolean {
    return /\w/.test(this.#text[at] ?? '');
  }
}
