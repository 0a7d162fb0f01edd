import { Worker } from 'node:worker_threads';

/** What a thread is to do with the log of a database. */
export type LogTask = { readonly name: 'sync'; readonly descriptor: number } | { readonly name: 'copy'; readonly path: string; readonly isSynced: boolean };

/** What a thread says when it has done it, or why it could not. */
export interface LogThreadAnswer {
  readonly error?: Error;
}

/**
 * Two threads that wait for the disk, begun when they are first needed: a sync must not wait for a copy, nor for the files of
 * uploads, which keep the threads of Node's own pool busy.
 */
export class LogThreads {
  readonly #threads = new Map<LogTask['name'], Worker>();

  /** One of each name at a time. @throws what the disk said, or when the thread has ended */
  do(task: LogTask): Promise<void> {
    const thread = this.#threads.get(task.name) ?? this.#start(task.name);
    return new Promise((resolve, reject) => {
      const over = (reason: unknown) => reject(reason instanceof Error ? reason : new Error(`The thread that is to ${task.name} the log has ended.`));
      thread.once('exit', over).once('error', over);
      thread.once('message', ({ error }: LogThreadAnswer) => {
        thread.off('exit', over).off('error', over);
        if (error) reject(error);
        else resolve();
      });
      thread.postMessage(task);
    });
  }

  /** To be called when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.terminate()));
  }

  #start(name: LogTask['name']): Worker {
    const thread = new Worker(new URL('./log-thread.ts', import.meta.url));
    this.#threads.set(name, thread);
    thread.once('exit', () => this.#threads.delete(name));
    return thread;
  }
}
