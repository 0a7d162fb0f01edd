import { parentPort, workerData } from 'node:worker_threads';

import { openWriter } from './connection.ts';
import type { CopyingReply, CopyingData } from './log-copier.ts';
import { copyLog } from './write-ahead-log.ts';

/*
 * The thread of `log-copier.ts`: copies the log of a database with each message, over a connection of its own.
 */

const { path, isSynced } = workerData as CopyingData;
const db = openWriter(path, isSynced);

parentPort!.on('message', () => parentPort!.postMessage(copied()));

function copied(): CopyingReply {
  try {
    copyLog(db);
    return {};
  } catch (error) {
    // An error that is posted between threads loses its own fields.
    return { error: error as Error, errcode: (error as { errcode?: number }).errcode };
  }
}
