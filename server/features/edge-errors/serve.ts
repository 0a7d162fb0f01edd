import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import { debouncer } from '#server/jobs/debouncer.ts';
import { DoorErrors } from './door-errors.ts';
import { linkErrorOwner, publicErrorOwner } from './error-owner.ts';
import { networkErrorsHandlers } from './handlers/network-errors.ts';
import { MemoryBreakdownCache } from './stores/memory/breakdown-cache.ts';

/** Errors within a quarter of a second are stored together. */
const delayMs = 250;

/** Counts the error responses of the public and the files door for their accounts. */
export function serve({ stores, core, log }: Given) {
  const { metadata, clock } = stores;
  const errors = new DoorErrors({ metadata, onWaiting: () => storing.nudge() });
  const store = async () => {
    const leftOut = await errors.store();
    if (leftOut > 0)
      log.warn(
        { errors: leftOut },
        'errors of public files and links could not be counted: there were too many while the database was busy',
      );
  };
  const onFault = (error: unknown) => log.error({ job: 'count-errors', error }, 'fault');
  const storing = debouncer({ run: store, onFault, delayMs, drains: true });
  const countError: Ports['countError'] = (door, { target, status, method }, owners) => {
    const owned = door === 'public' ? publicErrorOwner(target) : linkErrorOwner(owners, target);
    if (owned) errors.note({ ...owned, at: clock.now(), status, method });
  };
  return {
    ports: { countError },
    handlers: () => networkErrorsHandlers({ ...core, breakdowns: new MemoryBreakdownCache() }),
    work: {
      // The first error begins it.
      begin() {},
      stop: storing.stop,
    },
  };
}
