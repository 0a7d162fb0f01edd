import type { Given } from '#server/compose/given.ts';
import { composeBodyMemory } from '#server/compose/body-memory.ts';
import type { DiskSpace } from '#server/domain/ports/disk-space.ts';
import { openLog } from '#server/log.ts';
import { createMetrics } from '#server/metrics.ts';
import { pipeline } from '#server/pipeline/pipeline.ts';
import { systemClock, systemMonotonic } from '#server/stores/system/clock.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { announcedLimits } from './limits.ts';
import { mockConfig } from './settings.ts';
import { mockSecrets, nothingStored } from './stateless.ts';

/** The mock stores nothing, so its disk is never full. */
const endlessSpace: DiskSpace = {
  require: async () => () => {},
  state: () => ({ isFull: false, freeBytes: Infinity, sizeBytes: undefined, floorBytes: 0, reserveBytes: 0 }),
};

const core = { metadata: nothingStored<never>(), secrets: mockSecrets, ids: randomIds, clock: systemClock };

/** The stores of a server. Those that hold something throw at their first use. */
const stores: Given['stores'] = new Proxy(
  {
    ...core,
    monotonic: systemMonotonic,
    shared: undefined,
    databaseCopies: undefined,
    blobAddresses: undefined,
    areBlobsDown: undefined,
    diskSpace: endlessSpace,
    // Nothing ever happens here.
    eventSignals: { listen: () => () => {} },
  } as unknown as Given['stores'],
  { get: (known, name) => (name in known ? known[name as keyof typeof known] : nothingStored()) },
);

/** Returns what the features of a server at this address are built of, if it stores nothing and counts nothing. */
export function mockGiven(url: string): Given {
  const log = openLog('silent');
  const metrics = createMetrics();
  const limits = announcedLimits();
  const noteUse = () => {};
  const never = new AbortController().signal;
  return {
    config: mockConfig,
    urls: { base: url, api: url, files: url, public: url, s3: url, operator: url },
    log,
    stores,
    releases: nothingStored(),
    metrics,
    // Nobody is refused because of others.
    overrides: { countsAtOnce: Infinity },
    signal: never,
    streamsEnd: never,
    core,
    common: {
      log,
      metrics,
      tracing: undefined,
      isTrustedProxy: () => false,
      docsUrl: '',
      bodies: composeBodyMemory(mockConfig.bodyMemoryBytes, metrics),
      noteTraffic: () => {},
    },
    limits,
    answer: pipeline({ limits, diskSpace: endlessSpace, noteUse, log, metrics }),
    noteUse,
    scrypt: nothingStored(),
    hashing: nothingStored(),
  };
}
