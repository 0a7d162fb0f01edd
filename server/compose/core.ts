import { allEnded } from '#server/domain/all-ended.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { noModels } from '#server/domain/access/known-models.ts';
import { accountHandlers } from '#server/handlers/account.ts';
import { operationsHandlers } from '#server/handlers/operations.ts';
import { operatorHandlers } from '#server/handlers/operator/operator.ts';
import { sessionsHandlers } from '#server/handlers/sessions.ts';
import { jobsOf } from '#server/jobs/jobs.ts';
import { requestedJobs } from '#server/jobs/requested-jobs.ts';
import { MemoryStatsCache } from '#server/stores/memory/stats-cache.ts';
import { ownVersion } from '#server/version.ts';
import { composeBackups } from './backups.ts';
import type { Given } from './given.ts';
import { featuresOn } from './serve-features.ts';
import { scrubbingOf } from './scrub.ts';
import type { Ports } from './served.ts';

/** Builds what every server has: accounts, sessions, health, and the operator's operations. */
export function serveCore(given: Given, shownSettings: () => Readonly<Record<string, string>>) {
  const { config, urls, log, stores, metrics, signal, core, limits, noteUse } = given;
  const scrubbing = scrubbingOf(stores, log, metrics, signal);
  const backups = composeBackups(config, stores, log, signal);
  const requested = requestedJobs({ onFault: (job, error) => log.error({ job, error }, 'fault') });
  return {
    jobs: { scrub: scrubbing.run },
    handlers: ({ models = noModels }: Ports) => ({
      ...accountHandlers({ ...core, cache: new MemoryStatsCache(), models }),
      ...sessionsHandlers({ ...core, ownUrl: urls.api, failures: limits, noteUse }),
      ...healthHandlers(given),
      ...operatorHandlers({
        ...stores,
        ...core,
        ownUrl: urls.operator,
        failures: limits,
        cache: new MemoryStatsCache(),
        models,
        version: ownVersion(),
        settings() {
          const changed = shownSettings();
          return config.settings.map((setting) => ({ ...setting, value: changed[setting.name] ?? setting.value }));
        },
        backups,
        jobs: jobsOf(featuresOn(config)),
        requestedJobs: requested,
        signal,
        onScrubStarted: scrubbing.nudge,
        readClock: () => readClock(stores),
      }),
    }),
    work: {
      // The schedule and operators begin it.
      begin() {},
      stop: () => allEnded([scrubbing.stop(), backups.stop(), requested.stop()]),
    },
  };
}

/** Returns the handlers of health and metrics, which two doors have. */
function healthHandlers({ stores, metrics, streamsEnd }: Given) {
  const { metadata, diskSpace, shared } = stores;
  return operationsHandlers({
    isReady: async () => !streamsEnd.aborted && (shared?.isLive() ?? true) && (await isReadable(metadata)),
    isFull: () => diskSpace.state().isFull,
    areBlobsDown: () => stores.areBlobsDown?.() ?? false,
    metrics,
  });
}

/** Whether the metadata store can be read. */
async function isReadable(metadata: Metadata): Promise<boolean> {
  try {
    await metadata.read.accounts.find('');
    return true;
  } catch {
    return false;
  }
}
