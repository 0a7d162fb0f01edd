import { parsing, type ChunkedHandlers } from '#generated/router.ts';
import type { StartChunkedUploadData } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { abortChunkedUpload } from '#server/domain/chunked/abort-chunked-upload.ts';
import type { NewPart, StoredPart } from '#server/domain/chunked/chunked-upload.ts';
import { chunkedStatus } from '#server/domain/chunked/chunked-status.ts';
import { completeChunkedUpload } from '#server/domain/chunked/complete-chunked-upload.ts';
import { formatUploadHandle } from '#server/domain/chunked/handle.ts';
import { listOpenUploads } from '#server/domain/chunked/list-open-uploads.ts';
import { putPart } from '#server/domain/chunked/put-part.ts';
import type { RunningHashes } from '#server/domain/chunked/running-hash.ts';
import { startChunkedUpload } from '#server/domain/chunked/start-chunked-upload.ts';
import { expiresAtMs } from '#server/domain/duration.ts';
import { maxPartBytes, maxParts, minPartBytes } from '#server/domain/limits.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { readUploadOptions } from '#server/domain/objects/upload-options.ts';
import { publicUrl } from '#server/domain/objects/public-url.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import { uploadOptions } from './upload-options.ts';
import { done, success, timestamp } from './wire.ts';

type StartQuery = NonNullable<StartChunkedUploadData['query']>;

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Those of the S3 gateway too: either door may complete what the other has begun. */
  readonly hashes: RunningHashes;
  /** Address of the public host, without a trailing slash. */
  readonly publicHost: string;
  /** Told of each part that was stored. */
  noteStored(sizeBytes: number): void;
  /** Told when there is a file whose SHA-256 is still to be computed. */
  onUnhashed(): void;
}

/** Wire ⇄ domain for files that come in parts. */
export function chunkedHandlers(deps: Deps): ChunkedHandlers<Call> {
  const { secrets, publicHost } = deps;
  return {
    startChunkedUpload: parsing(
      ({ query }, { caller }) => startOf(query, caller),
      async (start, call) => {
        const { upload, maxObjectBytes } = await startChunkedUpload(deps, {
          ...start,
          caller: call.caller,
          actor: actorOf(call),
        });
        const { address, expire } = upload.plan;
        const response = {
          upload: formatUploadHandle(secrets, upload),
          id: formatObjectId(address),
          private: address.space === 'private',
          url: publicUrl(publicHost, address),
          ...(expire && { expires_at: timestamp(expiresAtMs(expire, upload.startedAt)) }),
          chunk: {
            min_size: minPartBytes,
            max_size: maxPartBytes,
            max_parts: maxParts,
            max_object_size: maxObjectBytes,
          },
        } as const;
        return success(response);
      },
    ),

    async putChunkedPart({ query }, { caller, bytes, signal }) {
      const stored = await putPart(deps, {
        caller,
        handle: query.upload,
        part: query.part,
        checksumSha256: query.checksum_sha256,
        body: bytes,
        signal,
      });
      deps.noteStored(stored.blob.sizeBytes);
      return success(partOf(stored));
    },

    async completeChunkedUpload({ body }, call) {
      const { upload, outcome } = await completeChunkedUpload(deps, {
        caller: call.caller,
        handle: body.upload,
        checksumSha256: body.checksum_sha256,
        actor: actorOf(call),
      });
      const { address } = upload.plan;
      const response = {
        id: formatObjectId(address),
        private: address.space === 'private',
        url: publicUrl(publicHost, address),
        ...(outcome.expiresAt !== null && { expires_at: timestamp(outcome.expiresAt) }),
        size: outcome.sizeBytes,
        parts: outcome.parts,
        sha256: outcome.sha256,
      };
      return success(response);
    },

    async abortChunkedUpload({ body }, call) {
      await abortChunkedUpload(deps, { caller: call.caller, handle: body.upload, actor: actorOf(call) });
      return done;
    },

    async getChunkedUpload({ query }, { caller }) {
      const { address, parts, nextPart, sizeBytes } = await chunkedStatus(deps, caller, query.upload);
      const response = {
        id: formatObjectId(address),
        parts: parts.map(partOf),
        next_part: nextPart,
        size_so_far: sizeBytes,
      };
      return success(response);
    },

    async listChunkedUploads(_input, { caller }) {
      const open = await listOpenUploads(deps, caller);
      const uploads = open.map((upload) => ({
        id: formatObjectId(upload.plan.address),
        initiated: timestamp(upload.startedAt),
        upload: formatUploadHandle(secrets, upload),
      }));
      return success({ uploads });
    },
  };
}

function partOf({ part, blob, md5 }: NewPart | StoredPart) {
  return { part, size: blob.sizeBytes, etag: md5 };
}

/** @throws what readUploadOptions() does */
function startOf(query: StartQuery, { token }: Caller) {
  const { filename = '', mime_type: mimeType = '', size: sizeBytes } = query;
  return { fields: readUploadOptions(uploadOptions(query), { filename, mimeType }, token?.pins), filename, sizeBytes };
}
