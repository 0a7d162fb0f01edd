import { hostname } from 'node:os';

import type { Config } from '#server/config/config.ts';
import { noteStart } from '#server/domain/configuration/note-start.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { recoverUnfinished } from '#server/domain/jobs/recover.ts';
import { signallingReleases } from '#server/domain/ports/releases.ts';
import { blobMarkers, recoveries } from '#server/feature-parts.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import { openInSteps } from '#server/stores/open-in-steps.ts';
import { isForOperator, openStores, type Stores } from '#server/stores/open.ts';
import { ownVersion } from '#server/version.ts';
import type { Overrides } from './overrides.ts';
import { watchStores } from './watch.ts';

/** Opens the stores of a server, and cleans up after an earlier process. If that fails, they are closed again. */
export function openServedStores(config: Config, log: Log, metrics: Metrics, overrides: Overrides) {
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  return openInSteps(onFault, async (steps) => {
    const opened = await openFor(config, log, metrics, overrides);
    const { metadata, releases } = signallingReleases(opened.metadata);
    const stores = { ...opened, metadata };
    steps.defer(() => stores.close());
    watchStores(metrics, stores);
    await recover(stores, log);
    await noteSettings(config, stores, log);
    return { stores, releases };
  });
}

function openFor(config: Config, log: Log, metrics: Metrics, overrides: Overrides): Promise<Stores> {
  return openStores(config, log, {
    ...overrides,
    isServing: true,
    server: { host: hostname(), version: ownVersion() },
    onCommit: metrics.committed,
    onSync: metrics.synced,
    onScrubbed: metrics.scrubbed,
    onLost: endOfProcess(log),
  });
}

/**
 * Returns a function that ends the process after the disk failed to take a commit. Nobody knows which part of the
 * commit was stored, so no request gets a response: clients see their connections end. The next start reads the stored
 * part, and the supervisor of the process sees the failure.
 */
function endOfProcess(log: Log): (error: unknown) => void {
  return (error) => {
    const text = isForOperator(error)
      ? `the server ends: ${error.message}`
      : 'THE DISK DID NOT TAKE WHAT WAS WRITTEN TO THE DATABASE: the server ends. ' +
        'Look at the disk (dmesg), then start it again';
    log.fatal({ error }, text);
    process.exit(1);
  };
}

/**
 * Records settings that changed since the last start. The server starts even if it cannot: the next start compares
 * again.
 */
async function noteSettings({ settings }: Config, stores: Stores, log: Log): Promise<void> {
  await noteStart(stores, Object.fromEntries(settings.map(({ name, value }) => [name, value]))).catch(
    (error: unknown) => log.error({ error }, 'fault'),
  );
}

/** Cleans up after an earlier process that was cut off. */
async function recover({ metadata, shared, blobs, blobUpkeep }: Stores, log: Log): Promise<void> {
  const isShared = shared !== undefined;
  // Where other servers run, all this may be theirs.
  const unfinished = isShared ? {} : await recoverUnfinished({ metadata, recoveries });
  const leftovers = isShared ? 0 : ((await blobUpkeep.sweepTemporaries?.()) ?? 0);
  // A blob that cannot be removed now is found again later. The server starts anyway.
  const reaped = await reapBlobs({ metadata, blobs, blobMarkers }).catch((error: unknown) => {
    log.error({ job: 'reap-blobs', error }, 'fault');
    return 0;
  });
  const recovered = { ...unfinished, temporary_files: leftovers, removed_blobs: reaped };
  if (Object.values(recovered).some((count) => count > 0)) log.info(recovered, 'recovered');
}
