import { Worker } from 'node:worker_threads';

import type { Scrypt, ScryptCost } from '#server/domain/ports/scrypt.ts';

/** The message to a thread. */
export interface ScryptJob {
  readonly text: string;
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
}

/** Hashing in its own threads. */
export interface ScryptThreads {
  readonly scrypt: Scrypt;
  /** Ends the threads. Hashes under way fail, so call it when nobody waits any more. */
  close(): Promise<void>;
}

/**
 * Hashes in threads of lower priority: as many as there are parallel calls, and none before the first call. In Node's
 * own pool, a hash would compete with the thread that serves requests, and occupy one of the few threads that read
 * files.
 */
export function scryptThreads(): ScryptThreads {
  const idle = new Set<Worker>();
  const all = new Set<Worker>();
  const threadOf = (): Worker => {
    const thread = new Worker(new URL('./scrypt-thread.ts', import.meta.url));
    // An idle thread must not keep the process alive.
    thread.unref();
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      idle.delete(thread);
    });
    return thread;
  };
  return {
    async scrypt(text, salt, cost) {
      const [thread = threadOf()] = idle;
      idle.delete(thread);
      const hash = await hashIn(thread, { text, salt, cost });
      idle.add(thread);
      return hash;
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/**
 * Hashes one text in a thread.
 *
 * @throws when the thread ends before the hash is there
 */
function hashIn(thread: Worker, job: ScryptJob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const over = () => reject(new Error('The thread that hashes passwords has ended.'));
    const failed = (error: unknown) => reject(error as Error);
    thread.once('exit', over).once('error', failed);
    thread.once('message', (hash: Uint8Array) => {
      thread.off('exit', over).off('error', failed);
      resolve(hash);
    });
    thread.postMessage(job);
  });
}
