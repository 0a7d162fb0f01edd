import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

import type { Clock, MonotonicClock } from '#server/domain/ports/clock.ts';

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The clock that counts from the machine's start. All processes of the machine share it. */
export const systemMonotonic: MonotonicClock = {
  origin: machineStart(),
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
};

/** Returns the id of the machine's start. On a system without one, each process has its own. */
function machineStart(): string {
  try {
    // Containers can have a monotonic clock of their own.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return randomUUID();
  }
}
