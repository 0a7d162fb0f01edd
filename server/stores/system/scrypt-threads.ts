import { Worker } from 'node:worker_threads';

import type { Scrypt, ScryptCost } from '#server/domain/ports/scrypt.ts';

/** What a thread is told. */
export interface ScryptJob {
  readonly text: string;
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
}

/** Hashing in threads of its own. */
export interface ScryptThreads {
  readonly scrypt: Scrypt;
  /** What is being hashed fails; to be called when nobody waits any more. */
  close(): Promise<void>;
}

/**
 * Hashes in threads of lower priority, as many as are asked at once and none before the first. In the pool that Node
 * has for it, a hash competes with the thread that serves requests as an equal, and keeps one of the few that read
 * files.
 */
export function scryptThreads(): ScryptThreads {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const threadOf = (): Worker => {
    const thread = new Worker(new URL('./scrypt-thread.ts', import.meta.url));
    // A thread that waits keeps no process alive.
    thread.unref();
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    return thread;
  };
  return {
    async scrypt(text, salt, cost) {
      const thread = idle.pop() ?? threadOf();
      const hash = await answerOf(thread, { text, salt, cost });
      idle.push(thread);
      return hash;
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/** @throws when the thread ends before it answers */
function answerOf(thread: Worker, job: ScryptJob): Promise<Uint8Array> {
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
