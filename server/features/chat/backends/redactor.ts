import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Redaction } from '../config/redactions.ts';

/** Patterns go through the longest request in a tenth of it, unless one tries all ways through a text. */
const standardMs = 2000;

/** Thrown when patterns take too long. The message has no text of a request. */
export class RedactionTooSlow extends Error {
  constructor(ms: number) {
    super(
      `The redactions in CUBBY_AI_MODELS_FILE took over ${ms} ms for the texts of a request, so nothing was sent. ` +
        'Write their patterns so that no repetition stands in another one.',
    );
    this.name = 'RedactionTooSlow';
  }
}

/**
 * Replaces what the operator's patterns match, in a thread of its own: no other request waits for a long text, and a
 * pattern that backtracks ends with its thread. The thread starts with the first text.
 */
export class Redactor {
  readonly #redactions: readonly Redaction[];
  readonly #longestMs: number;
  #thread: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(redactions: readonly Redaction[], longestMs = standardMs) {
    this.#redactions = redactions;
    this.#longestMs = longestMs;
  }

  /** Whether there is nothing to replace. */
  get isEmpty(): boolean {
    return this.#redactions.length === 0;
  }

  /** Returns the texts as they may leave. Requests come one after the other. @throws {RedactionTooSlow} */
  redact(texts: readonly string[]): Promise<readonly string[]> {
    const mine = this.#last.then(() => this.#redact(texts));
    this.#last = mine.catch(() => {}).then(() => this.#endIfClosed());
    return mine;
  }

  /** Ends the thread when all requests are done. Later ones start it for their time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#last = this.#last.then(() => this.#endIfClosed());
    await this.#last;
  }

  async #redact(texts: readonly string[]): Promise<readonly string[]> {
    const thread = await (this.#thread ??= this.#startThread());
    const late = AbortSignal.timeout(this.#longestMs);
    try {
      thread.postMessage(texts);
      const [redacted] = (await once(thread, 'message', { signal: late })) as [readonly string[]];
      return redacted;
    } catch (error) {
      this.#thread = undefined;
      void thread.terminate();
      throw late.aborted ? new RedactionTooSlow(this.#longestMs) : error;
    }
  }

  async #startThread(): Promise<Worker> {
    try {
      return await startThread(this.#redactions);
    } catch (error) {
      this.#thread = undefined;
      throw error;
    }
  }

  async #endIfClosed(): Promise<void> {
    if (!this.#isClosed) return;
    const thread = this.#thread;
    this.#thread = undefined;
    await (await thread)?.terminate();
  }
}

/** Resolves when the thread takes texts. Its start does not count as time of a request. */
async function startThread(redactions: readonly Redaction[]): Promise<Worker> {
  const thread = new Worker(new URL('./redaction-thread.ts', import.meta.url), { workerData: redactions });
  // A waiting thread must not keep the process alive.
  thread.unref();
  await once(thread, 'message');
  return thread;
}
