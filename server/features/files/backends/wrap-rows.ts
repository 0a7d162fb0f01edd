import type { Config } from '#server/config/config.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Log } from '#server/log.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';
import { purgeStoppedAccounts } from './account-purges.ts';
import { cdnHook } from './cdn-hook.ts';
import { notingPublicChanges } from './public-changes.ts';
import { callMs, purgeQueue } from './purge-queue.ts';

/** Rows in front of a CDN. */
interface RowsOfCdn {
  /** The same store, which notes changes of public files for the CDN. */
  readonly metadata: Metadata;
  readonly ports: { readonly cdn: Cdn };
  /** Sends the purges that are due. Call it before the store is closed. */
  close(): Promise<void>;
}

interface Surroundings {
  readonly config: Pick<Config, 'cdnPurgeUrl' | 'urls'>;
  readonly log: Log;
  readonly metadata: Metadata;
  readonly ids: Pick<Ids, 'orderedId'>;
  /** Whether a server runs. It also sends what other processes have left. */
  readonly isServing: boolean;
  readonly tracing?: CallTracing | undefined;
}

/** Connects to the configured CDN, or to none. Caches in front of the public host then expire by `max-age`. */
export function wrapRows({ config, log, metadata, ids, isServing, tracing }: Surroundings): RowsOfCdn {
  const { cdnPurgeUrl: url, urls } = config;
  const publicHost = urls.public;
  if (url === undefined || publicHost === undefined)
    return { metadata, ports: { cdn: { purge: async () => {} } }, close: async () => {} };
  const queue = purgeQueue({
    metadata,
    write: () => purgeStoppedAccounts(metadata, { publicHost, ids }),
    hook: cdnHook({ url, ...(tracing && { tracing }) }),
    onFault: (error) => log.error({ job: 'cdn-purge', error }, 'fault'),
  });
  if (isServing) queue.begin();
  return {
    metadata: notingPublicChanges(metadata, { publicHost, ids, callerMs: callMs, onNoted: queue.nudge }),
    ports: { cdn: queue },
    close: () => queue.stop(),
  };
}
