import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';

/** The ports that handlers pass on to use cases. The handlers of each tag pick those that they need. */
export interface Ports {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly cdn: Cdn;
  readonly scrypt: Scrypt;
  /** Addresses of the public and the files host, without a trailing slash. */
  readonly publicHost: string;
  readonly filesHost: string;
  /** Called with the size of each file or part that was stored. */
  noteStored(sizeBytes: number): void;
}

/** The ports that most handlers need. */
export type CorePorts = Pick<Ports, 'metadata' | 'secrets' | 'ids' | 'clock'>;
