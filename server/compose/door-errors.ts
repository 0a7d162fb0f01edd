import { DoorErrors } from '../domain/edge-errors/door-errors.ts';
import type { OwnedPath } from '../domain/edge-errors/error-owner.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import type { AnsweredError } from '../pipeline/error-count.ts';
import { debouncer } from '../jobs/debouncer.ts';
import type { Log } from '../log.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly clock: Clock;
}

/** Errors that the public and the files door answer, on their way to the counts of their accounts. */
export interface CountedErrors {
  readonly note: (owned: OwnedPath | undefined, error: AnsweredError) => void;
  /** Stores what waits. */
  stop(): Promise<void>;
}

/** Errors of a quarter of a second are stored together. */
const doorErrorsDelayMs = 250;

/** Counts what the public and the files door answer with errors, a quarter of a second at a time. */
export function countDoorErrors({ metadata, clock }: Stores, log: Log): CountedErrors {
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
  const storing = debouncer({ run: store, onFault, delayMs: doorErrorsDelayMs });
  return {
    note: (owned, { status, method }) => owned && errors.note({ ...owned, at: clock.now(), status, method }),
    async stop() {
      await storing.stop();
      await store().catch(onFault);
    },
  };
}
