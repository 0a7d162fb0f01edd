import { parsing } from '#server/http/operation.ts';
import type { UploadsHandlers } from '#generated/router.ts';
import type { StartChunkedUploadData } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { abortChunkedUpload } from '../abort-chunked-upload.ts';
import type { NewPart, StoredPart } from '../chunked-upload.ts';
import { chunkedStatus } from '../chunked-status.ts';
import { completeChunkedUpload } from '../complete-chunked-upload.ts';
import { formatUploadHandle } from '../handle.ts';
import { listOpenUploads } from '../list-open-uploads.ts';
import { parsePartNumber } from '../part-number.ts';
import { putPart } from '../put-part.ts';
import { startChunkedUpload } from '../start-chunked-upload.ts';
import { expiresAtMs } from '#server/domain/duration.ts';
import { maxPartBytes, minPartBytes } from '#server/domain/limits.ts';
import { maxParts } from '../limits.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import { yieldingTo } from '#server/features/files/give-way.ts';
import { readUploadOptions } from '#server/features/files/upload/upload-options.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import { expiryOf, placeOf, uploadOptions } from '#server/features/files/handlers/object-responses.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';
import type { RunningHashCache } from '../running-hash.ts';
import { receiptHeaders } from '#server/features/files/handlers/receipts.ts';
import { done, success, timestamp } from '#server/handlers/wire.ts';
import type { Resumable } from './uploads.ts';

interface Deps extends CorePorts, Pick<Ports, 'blobs' | 'noteStored' | 'publicHost'> {
  /** Shared with the S3 gateway: either door may complete what the other has begun. */
  readonly hashes: RunningHashCache;
  /** Called when a file is stored without its SHA-256, which a job then computes. */
  onUnhashed(): void;
}

/** Returns the handlers for files that come in parts. */
export function chunkedHandlers(deps: Deps): Omit<UploadsHandlers<Call>, Resumable> {
  const place = (address: ObjectAddress) => placeOf(address, publicUrl(deps.publicHost, address));
  return {
    ...readingHandlers(deps),

    startChunkedUpload: parsing(
      ({ query }, { caller }) => startOf(query, caller),
      async (start, call) => {
        const command = { ...start, caller: call.caller, actor: actorOf(call) };
        const { upload, maxObjectBytes } = await startChunkedUpload(deps, command);
        const { address, expire } = upload.resolved;
        const expiresAt = expire && expiresAtMs(expire, upload.startedAt);
        const chunk = { ...chunkLimits, max_object_size: maxObjectBytes };
        return success({
          upload: formatUploadHandle(deps.secrets, upload),
          ...place(address),
          ...expiryOf({ expiresAt }),
          chunk,
        });
      },
    ),

    putChunkedPart: parsing(
      ({ query }) => ({ part: partNumberOf(query.part), handle: query.upload, checksumSha256: query.checksum_sha256 }),
      async ({ handle, ...requested }, call) => {
        const { caller, references, bytes: body, signal } = call;
        const yielding = yieldingTo(deps, caller, actorOf(call));
        const upload = references.upload(handle);
        const stored = await putPart(deps, { ...requested, caller, upload, body, signal, yielding });
        deps.noteStored(stored.blob.sizeBytes);
        return success(partOf(stored));
      },
    ),

    async completeChunkedUpload({ body }, call) {
      const { caller, references } = call;
      const conditions = call.readConditions();
      const requested = { upload: references.upload(body.upload), checksumSha256: body.checksum_sha256, conditions };
      const { upload, outcome } = await completeChunkedUpload(deps, { ...requested, caller, actor: actorOf(call) });
      const { sizeBytes: size, etag, parts, sha256, isReplaced: replaced } = outcome;
      const object = upload.resolved.address;
      const statement = { object, sizeBytes: size, sha256, at: deps.clock.now(), keyId: caller.key.id };
      return {
        ...success({ ...place(object), ...expiryOf(outcome), size, etag, parts, sha256, replaced }),
        headers: receiptHeaders(deps.secrets, { action: 'upload', ...statement }),
      };
    },

    async abortChunkedUpload({ body }, call) {
      await abortChunkedUpload(deps, call.references.upload(body.upload), actorOf(call));
      return done;
    },
  };
}

function readingHandlers(deps: Deps) {
  return {
    async getChunkedUpload({ query }, { references }) {
      const { address, parts, nextPart, sizeBytes } = await chunkedStatus(deps, references.upload(query.upload));
      const id = formatObjectId(address);
      return success({ id, parts: parts.map(partOf), next_part: nextPart, size_so_far: sizeBytes });
    },

    async listChunkedUploads(_input, { caller }) {
      const open = await listOpenUploads(deps, caller);
      const uploads = open.map((upload) => ({
        id: formatObjectId(upload.resolved.address),
        initiated: timestamp(upload.startedAt),
        upload: formatUploadHandle(deps.secrets, upload),
      }));
      return success({ uploads });
    },
  } satisfies Partial<UploadsHandlers<Call>>;
}

const chunkLimits = { min_size: minPartBytes, max_size: maxPartBytes, max_parts: maxParts } as const;

function partOf({ part, blob, md5 }: NewPart | StoredPart) {
  return { part, size: blob.sizeBytes, etag: md5 };
}

/** @throws INVALID_CHUNK_PART */
function partNumberOf(given: number) {
  const part = parsePartNumber(given, maxParts);
  if (part === undefined) throw new Refusal('INVALID_CHUNK_PART');
  return part;
}

/** @throws the errors of readUploadOptions() */
function startOf(query: NonNullable<StartChunkedUploadData['query']>, { token }: Caller) {
  const { filename = '', mime_type: mimeType = '', size: sizeBytes } = query;
  return { fields: readUploadOptions(uploadOptions(query), { filename, mimeType }, token?.pins), filename, sizeBytes };
}
