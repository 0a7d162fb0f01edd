import type { RequestListener } from 'node:http';

import type { OperationsHandlers } from '#generated/router.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import { appsOperatorHandlers } from '#server/features/apps/handlers/operator.ts';
import { chatOperatorHandlers } from '#server/features/chat/handlers/operator.ts';
import { filesOperatorHandlers } from '#server/features/files/handlers/operator.ts';
import { operatorDoor } from '#server/doors/operator/operator-door.ts';
import type { Call } from '#server/handlers/call.ts';
import { operatorHandlers } from '#server/handlers/operator/operator.ts';
import { jobs } from '#server/jobs/jobs.ts';
import { MemoryStatsCache } from '#server/stores/memory/stats-cache.ts';
import { ownVersion } from '#server/version.ts';
import type { Given } from './given.ts';
import type { Shared } from './shared.ts';
import { consoleOf } from './sites.ts';

export function composeOperatorDoor(
  given: Given,
  { common, core, limits, handleOf }: Shared,
  operations: OperationsHandlers<Call>,
): RequestListener {
  const { config, urls, stores, chat, backups, requestedJobs, signal, events } = given;
  const ofCore = operatorHandlers({
    ...stores,
    ...core,
    ownUrl: urls.operator,
    failures: limits,
    cache: new MemoryStatsCache(),
    models: chat.models,
    version: ownVersion(),
    settings() {
      const changed = chat.shownSettings();
      return config.settings.map((setting) => ({ ...setting, value: changed[setting.name] ?? setting.value }));
    },
    backups,
    jobs,
    requestedJobs,
    signal,
    onScrubStarted: events.onScrubStarted,
    readClock: () => readClock(stores),
  });
  const operator = {
    ...ofCore,
    ...appsOperatorHandlers(core),
    ...chatOperatorHandlers(core),
    ...filesOperatorHandlers(core),
  };
  return operatorDoor({
    ...common,
    handleOf,
    console: consoleOf(given, 'operator'),
    hostNames: new Set([new URL(urls.operator).hostname, config.operatorHost.toLowerCase(), ...config.operatorNames]),
    handlers: { operator, operations },
  });
}
