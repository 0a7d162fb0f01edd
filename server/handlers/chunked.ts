import { parsing, type ChunkedHandlers } from '#generated/router.ts';
import type { StartChunkedUploadData } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { abortChunkedUpload } from '#server/domain/chunked/abort-chunked-upload.ts';
import type { NewPart, StoredPart } from '#server/domain/chunked/chunked-upload.ts';
import { chunkedStatus } from '#server/domain/chunked/chunked-status.ts';
import { completeChunkedUpload } from '#server/domain/chunked/complete-chunked-upload.ts';
import { formatUploadHandle } from '#server/domain/chunked/handle.ts';
import { listOpenUploads } from '#server/domain/chunked/list-open-uploads.ts';
import { parsePartNumber } from '#server/domain/chunked/part-number.ts';
import { putPart } from '#server/domain/chunked/put-part.ts';
import { startChunkedUpload } from '#server/domain/chunked/start-chunked-upload.ts';
import { expiresAtMs } from '#server/domain/duration.ts';
import { maxPartBytes, maxParts, minPartBytes } from '#server/domain/limits.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { publicUrl } from '#server/domain/objects/public-url.ts';
import { readUploadOptions } from '#server/domain/objects/upload-options.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { actorOf, type Call } from './call.ts';
import { expiryOf, placeOf, uploadOptions } from './object-answers.ts';
import type { CorePorts, Ports } from './ports.ts';
import { done, success, timestamp } from './wire.ts';

interface Deps extends CorePorts, Pick<Ports, 'blobs' | 'hashes' | 'noteStored' | 'publicHost'> {
  /** Called when a file is stored without its SHA-256, which a job then computes. */
  onUnhashed(): void;
}

/** Files that come in parts. */
export function chunkedHandlers(deps: Deps): ChunkedHandlers<Call> {
  const { secrets } = deps;
  const place = (address: ObjectAddress) => placeOf(address, publicUrl(deps.publicHost, address));
  return {
    startChunkedUpload: parsing(
      ({ query }, { caller }) => startOf(query, caller),
      async (start, call) => {
        const command = { ...start, caller: call.caller, actor: actorOf(call) };
        const { upload, maxObjectBytes } = await startChunkedUpload(deps, command);
        const { address, expire } = upload.plan;
        return success({
          upload: formatUploadHandle(secrets, upload),
          ...place(address),
          ...expiryOf({ expiresAt: expire && expiresAtMs(expire, upload.startedAt) }),
          chunk: {
            min_size: minPartBytes,
            max_size: maxPartBytes,
            max_parts: maxParts,
            max_object_size: maxObjectBytes,
          },
        });
      },
    ),

    putChunkedPart: parsing(
      ({ query }) => ({ query, part: partNumberOf(query.part) }),
      async ({ query, part }, { caller, named, bytes, signal }) => {
        const stored = await putPart(deps, {
          caller,
          upload: named.upload(query.upload),
          part,
          checksumSha256: query.checksum_sha256,
          body: bytes,
          signal,
        });
        deps.noteStored(stored.blob.sizeBytes);
        return success(partOf(stored));
      },
    ),

    async completeChunkedUpload({ body }, call) {
      const { upload, outcome } = await completeChunkedUpload(deps, {
        caller: call.caller,
        upload: call.named.upload(body.upload),
        checksumSha256: body.checksum_sha256,
        actor: actorOf(call),
      });
      const { sizeBytes: size, parts, sha256 } = outcome;
      return success({ ...place(upload.plan.address), ...expiryOf(outcome), size, parts, sha256 });
    },

    async abortChunkedUpload({ body }, call) {
      await abortChunkedUpload(deps, call.named.upload(body.upload), actorOf(call));
      return done;
    },

    async getChunkedUpload({ query }, { named }) {
      const { address, parts, nextPart, sizeBytes } = await chunkedStatus(deps, named.upload(query.upload));
      return success({
        id: formatObjectId(address),
        parts: parts.map(partOf),
        next_part: nextPart,
        size_so_far: sizeBytes,
      });
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

/** @throws INVALID_CHUNK_PART */
function partNumberOf(given: number) {
  const part = parsePartNumber(given, maxParts);
  if (part === undefined) throw new Refusal('INVALID_CHUNK_PART');
  return part;
}

/** @throws what readUploadOptions() does */
function startOf(query: NonNullable<StartChunkedUploadData['query']>, { token }: Caller) {
  const { filename = '', mime_type: mimeType = '', size: sizeBytes } = query;
  return { fields: readUploadOptions(uploadOptions(query), { filename, mimeType }, token?.pins), filename, sizeBytes };
}
