import { Worker } from 'node:worker_threads';

/** The thread's `workerData`. */
export interface CopyingData {
  readonly path: string;
  readonly isSynced: boolean;
}

/** The thread's message after each copy: empty, or the error. */
export interface CopyingReply {
  readonly error?: Error;
  /** SQLite's result code. */
  readonly errcode?: number | undefined;
}

/** A thread holds some 40 MB of memory. A server that writes rarely has better uses for it. */
const idleMs = 60_000;

/**
 * Copies the log of a database into its file in a thread. The thread starts with the first copy and ends after a minute
 * without one.
 */
export class LogCopier {
  readonly #data: CopyingData;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(data: CopyingData) {
    this.#data = data;
  }

  /**
   * Copies the log. One call at a time.
   *
   * @throws SQLite's error, or an error when the thread has ended
   */
  copy(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    return new Promise<void>((resolve, reject) => {
      const over = (reason: unknown) =>
        reject(reason instanceof Error ? reason : new Error('The thread that copies the log has ended.'));
      thread.once('exit', over).once('error', over);
      thread.once('message', ({ error, errcode }: CopyingReply) => {
        thread.off('exit', over).off('error', over);
        this.#idle = setTimeout(() => void this.close(), idleMs).unref();
        if (error) reject(Object.assign(error, { errcode }));
        else resolve();
      });
      thread.postMessage('copy');
    });
  }

  /** Ends the thread. Call it when no copy is under way. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./copying-thread.ts', import.meta.url), { workerData: this.#data });
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }
}
