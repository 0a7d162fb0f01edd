import { Worker } from 'node:worker_threads';

/** What the thread is started with. */
export interface CopyingData {
  readonly path: string;
  readonly isSynced: boolean;
}

/** What it says after each copy: nothing, or why it failed. */
export interface CopyingAnswer {
  readonly error?: Error;
  /** SQLite's result code. */
  readonly errcode?: number | undefined;
}

/** A thread holds some 40 MB of memory, which a server that is written to now and then has better uses for. */
const idleMs = 60_000;

/**
 * Copies the log of a database into its file in a thread, which begins with the first copy and ends when none has been
 * asked for in a minute.
 */
export class LogCopier {
  readonly #data: CopyingData;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(data: CopyingData) {
    this.#data = data;
  }

  /** One at a time. @throws what SQLite said, or when the thread has ended */
  copy(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    return new Promise<void>((resolve, reject) => {
      const over = (reason: unknown) =>
        reject(reason instanceof Error ? reason : new Error('The thread that copies the log has ended.'));
      thread.once('exit', over).once('error', over);
      thread.once('message', ({ error, errcode }: CopyingAnswer) => {
        thread.off('exit', over).off('error', over);
        this.#idle = setTimeout(() => void this.close(), idleMs).unref();
        if (error) reject(Object.assign(error, { errcode }));
        else resolve();
      });
      thread.postMessage('copy');
    });
  }

  /** To be called when no copy is under way. */
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
