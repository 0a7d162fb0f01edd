import { parentPort, workerData } from 'node:worker_threads';

import { openWriter } from './connection.ts';
import type { CopyingAnswer, CopyingData } from './log-copier.ts';
import { copyLog } from './write-ahead-log.ts';

/*
 * The thread of `log-copier.ts`: copies the log of a database each time it is told to, over a connection of its own.
 */

const { path, isSynced } = workerData as CopyingData;
const db = openWriter(path, isSynced);

parentPort!.on('message', () => parentPort!.postMessage(copied()));

function copied(): CopyingAnswer {
  try {
    copyLog(db);
    return {};
  } catch (error) {
    // Between threads an error loses what is no part of every error.
    return { error: error as Error, errcode: (error as { errcode?: number }).errcode };
  }
}
