import { createContext, Script } from 'node:vm';

import { nextTurn } from '#server/event-loop.ts';
import { patternFlags, type Redaction } from '../config/redactions.ts';

/** One step of work for the event loop: so many characters, times patterns. It takes some milliseconds. */
const stepCharacters = 1024 * 1024;

/** A pattern that needs longer tries all ways through a text. */
const longestStepMs = 40;

/** Thrown when a pattern takes too long. The message has no text of a request. */
export class RedactionTooSlow extends Error {
  constructor(names: readonly string[]) {
    super(
      `The redaction ${names.join(' or ')} takes over ${longestStepMs} ms for a text, so nothing was sent. Write its ` +
        'pattern so that no repetition stands in another one.',
    );
    this.name = 'RedactionTooSlow';
  }
}

/**
 * Replaces what the operator's patterns match. A time limit ends a pattern that backtracks: only a script of its own
 * can be interrupted within one.
 */
export class Redactor {
  readonly #patterns: ReadonlyArray<readonly [name: string, pattern: RegExp]>;

  constructor(redactions: readonly Redaction[]) {
    this.#patterns = redactions.map(({ name, pattern }) => [name, new RegExp(pattern, patternFlags)]);
  }

  /** Whether there is nothing to replace. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** Returns the texts as they may leave. @throws {RedactionTooSlow} */
  async redact(texts: readonly string[]): Promise<readonly string[]> {
    const redacted = [...texts];
    let characters = 0;
    for (const { from, to, patterns } of this.#steps(texts)) {
      const length = patterns.length * redacted.slice(from, to).reduce((sum, text) => sum + text.length, 0);
      if (characters > 0 && characters + length > stepCharacters) {
        characters = 0;
        await nextTurn();
      }
      characters += length;
      redacted.splice(from, to - from, ...replaced(redacted.slice(from, to), patterns));
    }
    return redacted;
  }

  /** Short texts go together through all patterns, and a long one goes through one after the other. */
  *#steps(texts: readonly string[]) {
    const patterns = this.#patterns;
    const most = stepCharacters / Math.max(1, patterns.length);
    for (let from = 0; from < texts.length;) {
      let to = from;
      for (let length = 0; to < texts.length && length + texts[to]!.length <= most; to++) length += texts[to]!.length;
      if (to > from) yield { from, to, patterns };
      else for (const pattern of patterns) yield { from, to: (to = from + 1), patterns: [pattern] };
      from = to;
    }
  }
}

const script = new Script(`
  texts.map((text) => patterns.reduce((left, [name, pattern]) => left.replace(pattern, '[' + name + ']'), text))
`);

function replaced(
  texts: readonly string[],
  patterns: ReadonlyArray<readonly [name: string, pattern: RegExp]>,
): readonly string[] {
  try {
    return script.runInContext(createContext({ texts, patterns }), { timeout: longestStepMs }) as readonly string[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new RedactionTooSlow(patterns.map(([name]) => name));
  }
}
