import type { Config } from '#server/config/config.ts';
import type { DoorName } from '#server/config/door-names.ts';
import type { Releases } from '#server/domain/ports/releases.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import type { AnyCaller } from '#server/pipeline/exchange.ts';
import type { DoorDeps } from '#server/pipeline/listener.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import type { RequestLimits } from '#server/pipeline/request-limits.ts';
import type { Stores } from '#server/stores/open.ts';
import type { Overrides } from './overrides.ts';

/** The addresses that clients see. */
export type Urls = Readonly<Record<DoorName | 'base', string>>;

/** What a server is built of before its features are there: they are built of it too. */
export interface Given {
  readonly config: Config;
  readonly urls: Urls;
  readonly log: Log;
  readonly stores: Stores;
  /** Says which contents are gone. */
  readonly releases: Releases;
  readonly metrics: Metrics;
  readonly overrides: Overrides;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  /** Aborted when streams of responses are to end, because the server is about to stop. */
  readonly streamsEnd: AbortSignal;
  readonly core: CorePorts;
  /** What every door has. */
  readonly common: DoorDeps;
  readonly limits: RequestLimits;
  /** Runs a request through the pipeline. */
  readonly answer: Answer;
  /** Notes the last use of a key. */
  noteUse(caller: AnyCaller): void;
  readonly scrypt: Scrypt;
  readonly hashing: HashQueue;
}
