import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import type { ScryptJob } from './scrypt-threads.ts';

/*
 * The thread of `scrypt-threads.ts`: hashes one text after another, at a lower priority than the rest of the process.
 */

/**
 * Under load, this gives the thread a quarter of a core: requests go first, and passwords are still checked. Otherwise
 * it gets a whole core.
 */
const niceness = 5;

/** Node's limit for scrypt, which needs 128 × N × r bytes and a little more. */
const maxmemOf = ({ N, r }: ScryptJob['cost']) => 128 * N * r * 2;

// On Linux each thread has its own priority. Elsewhere this would change the whole process (setpriority(2)).
if (process.platform === 'linux') setPriority(niceness);

parentPort!.on('message', ({ text, salt, cost }: ScryptJob) => {
  parentPort!.postMessage(scryptSync(text, salt, 32, { ...cost, maxmem: maxmemOf(cost) }));
});
