import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Runs a garbage collection. */
export const gc = runInNewContext('gc') as () => void;

setFlagsFromString('--no-expose-gc');
