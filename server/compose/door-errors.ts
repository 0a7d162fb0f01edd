import { DoorErrors } from '#server/features/edge-errors/door-errors.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import type { OwnedPath } from '../domain/ports/owned-path.ts';
import type { AnsweredError } from '../pipeline/error-count.ts';
import { debouncer } from '../jobs/debouncer.ts';
import type { Log } from '../log.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly clock: Clock;
}

/** Counts error responses of the public and the files door for their accounts. */
export interface CountedErrors {
  readonly note: (owned: OwnedPath | undefined, error: AnsweredError) => void;
  /** Stores the errors that still wait. */
  stop(): Promise<void>;
}

/** Errors within a quarter of a second are stored together. */
const doorErrorsDelayMs = 250;

/** Counts the error responses of the public and the files door. Stores those of a quarter of a second together. */
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
