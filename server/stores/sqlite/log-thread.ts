import { fdatasyncSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

import { openWriter } from './connection.ts';
import { copyLog } from './write-ahead-log.ts';
import type { LogTask, LogThreadAnswer } from './log-threads.ts';

/*
 * A thread of `log-threads.ts`: waits for the disk, so that the thread that serves requests does not.
 */

let db: DatabaseSync | undefined;

parentPort!.on('message', (task: LogTask) => parentPort!.postMessage(done(task)));

function done(task: LogTask): LogThreadAnswer {
  try {
    if (task.name === 'sync') fdatasyncSync(task.descriptor);
    else copyLog((db ??= openWriter(task.path, task.isSynced)));
    return {};
  } catch (error) {
    return { error: error as Error };
  }
}
