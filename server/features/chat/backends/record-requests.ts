import { CachedRequestCounts } from '../usage/cached-requests.ts';
import { AiRequestLog } from '../ai-requests/request-log.ts';
import type { AiRequestRecord } from '../ai-requests/request-record.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { debouncer } from '#server/jobs/debouncer.ts';
import type { Log } from '#server/log.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly ids: Ids;
}

/** Records requests to models for their accounts. */
interface RecordedRequests {
  note(record: AiRequestRecord): void;
  /** Stores the records that still wait. */
  stop(): Promise<void>;
}

/** Requests within half a second are stored together. */
const delayMs = 500;

/**
 * Counts the requests that the cache answered.
 *
 * @param keepsRequests whether each request is listed too
 */
export function recordRequests({ metadata, ids }: Stores, keepsRequests: boolean, log: Log): RecordedRequests {
  const requests = new AiRequestLog({ metadata, ids, onWaiting: () => storing.nudge() });
  const cached = new CachedRequestCounts(metadata);
  const store = async () => {
    await cached.store();
    const leftOut = await requests.store();
    if (leftOut > 0)
      log.warn(
        { requests: leftOut },
        'requests to models could not be recorded: there were too many while the database was busy',
      );
  };
  const onFault = (error: unknown) => log.error({ job: 'record-requests', error }, 'fault');
  const storing = debouncer({ run: store, onFault, delayMs, drains: true });
  return {
    note(record) {
      if (keepsRequests) requests.note(record);
      if (!record.isCached) return;
      cached.note(record);
      storing.nudge();
    },
    stop: storing.stop,
  };
}
