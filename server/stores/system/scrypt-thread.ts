import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import type { ScryptJob } from './scrypt-threads.ts';

/*
 * The thread of `scrypt-threads.ts`: hashes one text after another, behind everything else that the process does.
 */

/**
 * A quarter of a core where requests want it too, all of it else: they go first, and yet passwords are checked under
 * any load.
 */
const niceness = 5;

/** Node refuses what needs more; scrypt needs 128 × N × r bytes and a little. */
const maxmemOf = ({ N, r }: ScryptJob['cost']) => 128 * N * r * 2;

// On Linux each thread has a priority of its own; elsewhere this would be the whole process's. @see setpriority(2)
if (process.platform === 'linux') setPriority(niceness);

parentPort!.on('message', ({ text, salt, cost }: ScryptJob) => {
  parentPort!.postMessage(scryptSync(text, salt, 32, { ...cost, maxmem: maxmemOf(cost) }));
});
