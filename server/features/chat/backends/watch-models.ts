import { setTimeout as sleep } from 'node:timers/promises';

import { changesOf } from '../config/model-changes.ts';
import { shownModelsFile, type ModelsFile } from '../config/models-file.ts';
import type { ConfiguredModels } from '../config/models.ts';
import type { Log } from '#server/log.ts';

interface WatchOptions {
  readonly log: Log;
  /** Lets new requests use these models. */
  readonly apply: (models: ConfiguredModels) => void;
  /** How often the file is looked at. A change counts once the file has been the same two times. */
  readonly everyMs?: number | undefined;
}

/** The file of models while the server runs. */
interface WatchedModels {
  /** From now on it looks at the file. */
  begin(): void;
  /** Reads the file at once, and logs also that nothing has changed. */
  reload(): void;
  /** Returns what is in force, for the operator. */
  shown(): string;
  stop(): void;
}

/**
 * Reads the file of models again when it changes. A file with problems changes nothing. The file is looked at every few
 * seconds, because watching misses links that are swapped and files on other machines.
 */
export function watchModels(file: ModelsFile, { log, apply, everyMs = 2000 }: WatchOptions): WatchedModels {
  let inForce = file.models;
  let isNewestInForce = true;
  const stopped = new AbortController();

  function reload(isRequested: boolean): void {
    const read = file.read();
    isNewestInForce = 'models' in read;
    if ('problems' in read)
      return log.error(
        { problems: read.problems },
        'CUBBY_AI_MODELS_FILE has problems: the models of the AI gateway stay as they were',
      );
    const changes = changesOf(inForce, read.models);
    const isChanged = Object.keys(changes).length > 0;
    inForce = read.models;
    if (isChanged) apply(inForce);
    if (isChanged || isRequested)
      log.info(changes, isChanged ? 'the models of the AI gateway have changed' : 'CUBBY_AI_MODELS_FILE has no change');
  }

  async function watch(): Promise<void> {
    let readStamp: string | undefined;
    let lastStamp: string | undefined;
    for (;;) {
      await sleep(everyMs, undefined, { signal: stopped.signal, ref: false });
      const stamp = await file.stamp();
      if (stopped.signal.aborted) return;
      // A file that someone is writing has another stamp the next time.
      if (stamp === lastStamp && stamp !== readStamp) {
        readStamp = stamp;
        reload(false);
      }
      lastStamp = stamp;
    }
  }

  return {
    begin: () => void watch().catch((error: unknown) => stopped.signal.aborted || log.error({ error }, 'fault')),
    reload: () => reload(true),
    shown: () => shownModelsFile(file.path, inForce) + (isNewestInForce ? '' : ', before a change that has problems'),
    stop: () => stopped.abort(),
  };
}
