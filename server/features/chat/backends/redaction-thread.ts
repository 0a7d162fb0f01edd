import { parentPort, workerData } from 'node:worker_threads';

import { patternFlags, type Redaction } from '../config/redactions.ts';

/*
 * The thread of `redactor.ts`: replaces what the patterns match in the texts of one request after the other.
 */

const patterns = (workerData as readonly Redaction[]).map(
  ({ name, pattern }) => [`[${name}]`, new RegExp(pattern, patternFlags)] as const,
);

const redacted = (text: string): string =>
  patterns.reduce((left, [shown, pattern]) => left.replace(pattern, () => shown), text);

parentPort!.on('message', (texts: readonly string[]) => parentPort!.postMessage(texts.map(redacted)));
// From now on it takes texts.
parentPort!.postMessage([]);
