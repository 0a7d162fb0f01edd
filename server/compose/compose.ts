import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import type { Schedule } from '#server/jobs/schedule.ts';
import type { Log } from '#server/log.ts';
import { createMetrics, type Metrics } from '#server/metrics.ts';
import { openInSteps, type OpenedSteps } from '#server/stores/open-in-steps.ts';
import { explained, openFolder, type Stores } from '#server/stores/open.ts';
import { acquireProcessLock } from '#server/stores/sqlite/process-lock.ts';
import { serveCore } from './core.ts';
import { composeDoors, type Doors } from './doors.ts';
import { give } from './give.ts';
import type { Given, Urls } from './given.ts';
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
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  // This comes first, because the lock lies in the folder.
  await openFolder(config, log, overrides);
  return openInSteps(onFault, async (opened) => {
    // Servers over PostgreSQL may share a folder.
    const lock = config.databaseUrl ? undefined : acquireProcessLock(join(config.dataDir, 'server.lock'));
    opened.defer(() => lock?.release());
    return composeParts({ config, urls, log, overrides }, opened);
  }).catch((error: unknown) => {
    throw explained(config, error);
  });
}

type Wanted = Pick<Given, 'config' | 'urls' | 'log' | 'overrides'>;

async function composeParts(
  { config, urls, log, overrides }: Wanted,
  opened: OpenedSteps,
): Promise<Omit<App, 'close'>> {
  const metrics = createMetrics(overrides.otherMetrics);
  opened.defer(() => metrics.close());
  const { stores, releases, close } = await openServedStores(config, log, metrics, overrides);
  opened.defer(close);
  const giving = await give({ config, urls, log, stores, releases, metrics, overrides });
  opened.defer(() => giving.close());
  const { given } = giving;
  const ofFeatures = await serveFeatures(given);
  const shownSettings = () => Object.assign({}, ...ofFeatures.map((one) => one.shownSettings?.()));
  const served: readonly Served[] = [...ofFeatures, serveCore(given, shownSettings)];
  opened.defer(() => stopAll(served));
  // Before anything is waited for.
  opened.defer(() => giving.abort());
  const doors = composeDoors(given, served, portsOf(served));
  const jobs = await startJobs(given, Object.assign({}, ...served.map((one) => one.jobs)));
  opened.defer(() => jobs.stop());
  opened.defer(() => giving.abort());
  for (const one of served) one.work?.begin();
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
  };
}

function offLines({ featuresOff: off }: Config): string[] {
  return off.size === 0 ? [] : [`Switched off (CUBBY_FEATURES): ${[...off].join(', ')}`];
}
