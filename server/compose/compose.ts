import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import type { Schedule } from '#server/jobs/schedule.ts';
import type { Log } from '#server/log.ts';
import { createMetrics, type Metrics } from '#server/metrics.ts';
import { explained, openFolder, type Stores } from '#server/stores/open.ts';
import { acquireProcessLock } from '#server/stores/sqlite/process-lock.ts';
import { serveCore } from './core.ts';
import { composeDoors, type Doors } from './doors.ts';
import { give } from './give.ts';
import type { Urls } from './given.ts';
import { openServedStores } from './open-served-stores.ts';
import type { Overrides } from './overrides.ts';
import { portsOf, serveFeatures, stopAll } from './serve-features.ts';
import type { Served } from './served.ts';
import { statesOfSites } from './sites.ts';
import { startJobs } from './start-jobs.ts';

/** The server of one data folder, without its sockets. */
export interface App {
  readonly doors: Doors;
  /** The responses of doors to bytes that never became a request, where they have their own. */
  readonly protocolAnswers: Served['protocolAnswers'];
  /** Whether the documentation and the console were built when the server started. */
  readonly sites: ReturnType<typeof statesOfSites>;
  /** Lines for the person who started the server. */
  readonly startLines: readonly string[];
  /** Commands to try first, each with a comment above it. @param curl the command with a credential */
  firstSteps(curl: string): string[];
  readonly stores: Stores;
  readonly jobs: Schedule;
  readonly metrics: Pick<Metrics, 'ofProcess'>;
  /** Reads the files again that the operator may change while the server runs. */
  reload(): void;
  /** Lets `/readyz` respond with 503 from now on, so that a load balancer sends requests elsewhere. */
  beginStop(): void;
  close(): Promise<void>;
}

/**
 * Builds the server. It alone owns the data folder until `close`.
 *
 * @param urls the addresses that clients see. Links are built from these alone
 */
export async function compose(config: Config, urls: Urls, log: Log, overrides: Overrides = {}): Promise<App> {
  // This comes first, because the lock lies in the folder.
  await openFolder(config, log, overrides);
  // Servers over PostgreSQL may share a folder.
  const lock = config.databaseUrl ? undefined : acquireProcessLock(join(config.dataDir, 'server.lock'));
  try {
    const app = await composeParts(config, urls, log, overrides);
    return {
      ...app,
      async close() {
        await app.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw explained(config, error);
  }
}

async function composeParts(config: Config, urls: Urls, log: Log, overrides: Overrides): Promise<App> {
  const metrics = createMetrics(overrides.otherMetrics);
  const { stores, releases } = await openServedStores(config, log, metrics, overrides);
  const giving = await give({ config, urls, log, stores, releases, metrics, overrides });
  const { given } = giving;
  const ofFeatures = await serveFeatures(given);
  const shownSettings = () => Object.assign({}, ...ofFeatures.map((one) => one.shownSettings?.()));
  const served: readonly Served[] = [...ofFeatures, serveCore(given, shownSettings)];
  const end = async (jobs?: Schedule) => {
    giving.abort();
    await jobs?.stop();
    await stopAll(served);
    await giving.close();
    await stores.close();
    metrics.close();
  };
  /** Leaves nothing open when the start fails half way. */
  const failedWith = (jobs?: Schedule) => async (error: unknown) => {
    // What else fails then is not the cause.
    await end(jobs).catch((second: unknown) => log.error({ error: second }, 'fault'));
    throw error;
  };
  const start = async () => ({
    doors: composeDoors(given, served, portsOf(served)),
    jobs: await startJobs(given, Object.assign({}, ...served.map((one) => one.jobs))),
  });
  const { doors, jobs } = await start().catch(failedWith());
  const begin = async () => {
    for (const one of served) one.work?.begin();
  };
  await begin().catch(failedWith(jobs));
  return {
    startLines: [...served.flatMap(({ startLine = [] }) => startLine), ...offLines(config)],
    firstSteps: (curl) => served.flatMap((one) => one.firstStep?.(curl) ?? []),
    stores,
    doors,
    jobs,
    protocolAnswers: Object.assign({}, ...served.map((one) => one.protocolAnswers)),
    metrics,
    sites: statesOfSites(overrides.consoleFolder),
    reload() {
      for (const one of served) one.reload?.();
    },
    beginStop() {
      giving.beginStop();
      for (const one of served) one.beginStop?.();
    },
    close: () => end(jobs),
  };
}

function offLines({ featuresOff: off }: Config): string[] {
  return off.size === 0 ? [] : [`Switched off (CUBBY_FEATURES): ${[...off].join(', ')}`];
}
