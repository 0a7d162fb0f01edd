import { isRequested, scrub } from '#server/domain/store-check/scrub.ts';
import { debouncer } from '../jobs/debouncer.ts';
import { measured } from '../jobs/measured.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { runLeased } from '../jobs/run-leased.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Stores } from '../stores/open.ts';

/** While another server reads, this one looks again after so long. */
const busyMs = 10_000;

/** The scrub of this server. Of several servers, one reads at a time. */
interface Scrubbing {
  /** The job of the schedule. */
  readonly run: () => Promise<number | undefined>;
  /** Runs it soon, because an operator requested a round. */
  nudge(): void;
  stop(): Promise<void>;
}

/** Returns the scrub. A round that an operator requested goes on run after run; any other waits for the schedule. */
export function scrubbingOf(stores: Stores, log: Log, { jobRan }: Metrics, signal: AbortSignal): Scrubbing {
  const { metadata, shared, clock } = stores;
  const once = () =>
    runLeased({ metadata, leases: shared?.jobLeases }, 'scrub', { pauseMs: 0 }, (leased) =>
      scrub({ metadata: leased, scrub: stores.scrub, signal }, clock.now()),
    );
  const run = oneAtATime(async () => {
    const count = await measured({ clock, onRan: jobRan }, 'scrub', once);
    if (isRequested(await metadata.read.storeCheck.scrubPosition()) && !signal.aborted) {
      if (count === undefined) setTimeout(requested.nudge, busyMs).unref();
      else requested.nudge();
    }
    return count;
  });
  const requested = debouncer({ run, onFault: (error) => log.error({ job: 'scrub', error }, 'fault') });
  return { run, nudge: requested.nudge, stop: requested.stop };
}
