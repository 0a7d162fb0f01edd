import { TrafficCounts } from '../domain/account/traffic-counts.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import { debouncer } from '../jobs/debouncer.ts';
import type { Log } from '../log.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly clock: Clock;
}

/** Counts the requests of accounts, and the bytes sent in response. */
interface CountedTraffic {
  note(accountId: string, egressBytes: number): void;
  /** Stores the counts that still wait. */
  stop(): Promise<void>;
}

/** Requests within two seconds are stored together. */
const delayMs = 2000;

/** Counts requests in memory, and stores the counts of two seconds together. */
export function countTraffic({ metadata, clock }: Stores, log: Log): CountedTraffic {
  const counts = new TrafficCounts({ metadata, onWaiting: () => storing.nudge() });
  const store = async () => {
    const leftOut = await counts.store();
    if (leftOut > 0)
      log.warn(
        { requests: leftOut },
        'requests could not be counted for their accounts: there were too many accounts while the database was busy',
      );
  };
  const onFault = (error: unknown) => log.error({ job: 'count-traffic', error }, 'fault');
  const storing = debouncer({ run: store, onFault, delayMs, drains: true });
  return {
    note: (accountId, egressBytes) => counts.note({ accountId, at: clock.now(), egressBytes }),
    stop: storing.stop,
  };
}
