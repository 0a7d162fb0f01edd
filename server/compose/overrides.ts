import type { RequestListener } from 'node:http';

import type { DoorName } from '#server/config/door-names.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import type { createMetrics } from '#server/metrics.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import type { StoreOverrides } from '#server/stores/open.ts';
import type { Tracing } from '#server/telemetry/tracing.ts';

/** The time limit for the head of a request. */
export interface HeadPace {
  readonly timeoutMs: number;
  /** The limit is checked this often, so a head may take longer by as much. */
  readonly checkEveryMs: number;
}

/** Replacements for real parts, for tests. Features add those of their own parts to this type. */
export interface Overrides extends StoreOverrides {
  /** Wraps the listener of each door, for instance to look at its responses. */
  readonly door?: (name: DoorName, real: RequestListener) => RequestListener;
  /** Wraps what responds to the requests of every door. */
  readonly answer?: (real: Answer) => Answer;
  /** Wraps the hashing of passwords. */
  readonly scrypt?: (real: Scrypt) => Scrypt;
  /** Returns the metrics of the other workers of this machine, to add up. */
  readonly otherMetrics?: Parameters<typeof createMetrics>[0];
  /** Undefined: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** The folder of the built console. */
  readonly consoleFolder?: string;
  readonly slowestHead?: HeadPace;
  /** The slowest allowed body of a request. */
  readonly slowestBody?: BodyPace;
  /** The slowest allowed body that is buffered in memory. */
  readonly slowestBufferedBody?: BodyPace;
  /** Called with the account of the bodies in memory. */
  readonly onBodies?: (bodies: BodyMemory) => void;
}
