import type { Caller } from '#server/domain/access/caller.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { RunningHashCache } from '#server/features/uploads/running-hash.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { BodyHold } from '#server/http/body-memory.ts';
import type { Reply } from '#server/pipeline/exchange.ts';
import type { S3Request } from './request.ts';

/** The dependencies of all operations of the gateway. */
export interface S3Stores {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly hashes: RunningHashCache;
  /** The gateway's address, without a trailing slash. */
  readonly s3Url: string;
  /** Whether the bytes of new files are encrypted. */
  readonly encryptsFiles: boolean;
  /** Called for each stored file and part. */
  noteStored(sizeBytes: number): void;
  /** Called when the SHA-256 of a stored file still has to be computed. */
  onUnhashed(): void;
}

/** The dependencies of an operation and its caller. */
export interface S3Context extends S3Stores {
  readonly caller: Caller;
  readonly actor: Actor;
  /** Aborted when the client disconnects before the response is complete. */
  signal(): AbortSignal;
  /** Counts what an operation holds of its body. */
  hold(): BodyHold;
}

/** One operation of the gateway. A text in its reply is an XML document. */
export type S3Operation = (context: S3Context, request: S3Request) => Promise<Reply>;
