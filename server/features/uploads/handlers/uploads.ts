import { parsing } from '#server/http/operation.ts';
import type { UploadsHandlers } from '#generated/router.ts';
import type { StartUploadData } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { senderOf } from '#server/domain/access/require-sender.ts';
import { abortChunkedUpload } from '../abort-chunked-upload.ts';
import { formatUploadHandle } from '../handle.ts';
import { startChunkedUpload } from '../start-chunked-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { minUploadBytes } from '#server/domain/limits.ts';
import { maxChunkedUploadBytes } from '../limits.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import { yieldingTo } from '#server/features/files/give-way.ts';
import { readUploadOptions } from '#server/features/files/upload/upload-options.ts';
import { isConditional, requireNoConditions, type WriteConditions } from '#server/domain/write-conditions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { appendBytes } from '../append-bytes.ts';
import { concatenateUploads } from '../concatenate-uploads.ts';
import { finishUpload, isUnfinished } from '../finish-upload.ts';
import { serialState, type SerialState } from '../serial-state.ts';
import { uploadProgress } from '../upload-progress.ts';
import type { UploadTurns } from '../upload-turns.ts';
import { actorOf, type Call, type UploadHeaders } from '#server/handlers/call.ts';
import { expiryOf, placeOf, uploadOptions } from '#server/features/files/handlers/object-responses.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';
import type { RunningHashCache } from '../running-hash.ts';
import { addressOf, expiresAtOf, headersOf } from './upload-responses.ts';
import { withTurn } from './upload-turn.ts';
import { success, timestampOrNull } from '#server/handlers/wire.ts';

interface Deps extends CorePorts, Pick<Ports, 'blobs' | 'noteStored' | 'publicHost'> {
  /** Shared with the S3 gateway: either door may complete what the other has begun. */
  readonly hashes: RunningHashCache;
  readonly turns: UploadTurns;
  /** Called when a file is stored without its SHA-256, which a job then computes. */
  onUnhashed(): void;
}

/** The operations of tus and of the draft. The others are those of uploads in parts. */
export type Resumable = 'deleteUpload' | 'getUpload' | 'putUploadBytes' | 'startUpload';

/** Returns the handlers of tus 1.0 and of the IETF draft of resumable uploads. */
export function uploadsHandlers(deps: Deps): Pick<UploadsHandlers<Call>, Resumable> {
  return {
    startUpload: parsing(
      ({ query }, call) => startOf(query, call.readUploadHeaders(), call),
      (start, call) => begin(deps, start, call),
    ),

    putUploadBytes: parsing(
      ({ path }, call) => ({ handle: path.upload, headers: appendOf(call.readUploadHeaders(), call) }),
      async ({ handle, headers: requested }, call) => {
        const lookup = call.references.upload(handle);
        const state = await withTurn(deps, lookup, async (turn) => {
          const after = await append(deps, call, {
            upload: lookup,
            offsetBytes: requested.offsetBytes!,
            headers: requested,
            turn,
          });
          return endsHere(requested, after) ? finish(deps, call, lookup, after) : after;
        });
        const headers = headersOf(deps, state, requested.protocol);
        if (requested.protocol === 'draft' && requested.isComplete) return { ...fileReply(deps, state), headers };
        return { status: 204, headers };
      },
    ),

    async getUpload({ path }, call) {
      const { protocol } = call.readUploadHeaders();
      const { caller, references } = call;
      const lookup = references.upload(path.upload);
      const command = { caller, upload: lookup, actor: actorOf(call), finishes: protocol === 'tus' };
      const state = await withTurn(deps, lookup, (turn) => uploadProgress(deps, command, turn));
      const { upload, offsetBytes: offset } = state;
      const { address } = upload.resolved;
      const place = placeOf(address, publicUrl(deps.publicHost, address));
      const size = upload.outcome?.sizeBytes ?? upload.declaredBytes;
      const expires_at = timestampOrNull(expiresAtOf(upload));
      return {
        ...success({ ...place, offset, size, complete: upload.outcome !== null, expires_at }),
        headers: headersOf(deps, state, protocol),
      };
    },

    async deleteUpload({ path }, call) {
      // Other versions of tus are refused.
      call.readUploadHeaders();
      const lookup = call.references.upload(path.upload);
      await withTurn(deps, lookup, () => abortChunkedUpload(deps, lookup, actorOf(call)), 'abort');
      return { status: 204 };
    },
  };
}

/** Opens an upload, stores the bytes that came with it, and completes it if they are all. */
async function begin(deps: Deps, start: Start, call: Call) {
  const lookup = await open(deps, start, call);
  const location = addressOf(lookup.handle);
  const { headers: requested } = start;
  call.sendResumption({ Location: location, 'Upload-Limit': limitOf(deps, await serialState(deps, lookup)) });
  const state = await withTurn(deps, lookup, async (turn) => {
    if (start.isFinal) return finish(deps, call, lookup, await serialState(deps, lookup));
    const { bytes } = call;
    const isEmpty = bytes.announcedBytes === 0;
    const before = isEmpty
      ? await serialState(deps, lookup)
      : await append(deps, call, { upload: lookup, offsetBytes: 0, headers: requested, turn });
    return endsHere(requested, before) ? finish(deps, call, lookup, before) : before;
  });
  const headers = { ...headersOf(deps, state, requested.protocol), Location: location };
  // What the draft completes in one request is answered as an upload in one request is.
  if (requested.protocol === 'draft' && requested.isComplete) return { ...fileReply(deps, state), headers };
  return { status: 201 as const, headers };
}

interface Start extends ReturnType<typeof fieldsOf> {
  readonly conditions: WriteConditions;
  readonly headers: UploadHeaders;
  readonly isFinal: boolean;
}

/**
 * @throws the errors of readUploadOptions(), INVALID_CONDITION, INVALID_UPLOAD_HEADER, UNSUPPORTED_UPLOAD_TYPE,
 * FILE_TOO_SMALL, FILE_TOO_LARGE
 */
function startOf(
  query: NonNullable<StartUploadData['query']>,
  headers: UploadHeaders,
  call: Pick<Call, 'caller' | 'bytes' | 'readConditions'>,
): Start {
  const { caller, bytes } = call;
  const conditions = call.readConditions();
  const isFinal = typeof headers.concat === 'object';
  if (headers.protocol === 'draft') {
    if (headers.isComplete === undefined) throw missing('Upload-Complete', 'Tus-Resumable: 1.0.0, or Upload-Complete');
  } else checkTusStart(headers, bytes.announcedBytes === 0, isFinal);
  const sizeBytes = announcedSize(headers, 0, bytes.announcedBytes);
  if (sizeBytes !== undefined && sizeBytes < (headers.concat === 'partial' ? 1 : minUploadBytes))
    throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${sizeBytes}.` });
  if (sizeBytes !== undefined && sizeBytes > maxChunkedUploadBytes)
    throw new Refusal('FILE_TOO_LARGE', { message: `A file has at most 10 GiB. Got ${sizeBytes} bytes.` });
  if (headers.concat === 'partial') requireNoConditions(conditions);
  return { ...fieldsOf(query, caller), conditions, headers, isFinal };
}

function checkTusStart(headers: UploadHeaders, isEmpty: boolean, isFinal: boolean): void {
  const { lengthBytes, isLengthDeferred } = headers;
  if (isFinal && (lengthBytes !== undefined || isLengthDeferred || !isEmpty))
    throw new Refusal('INVALID_UPLOAD_HEADER', {
      message: 'An upload of partial ones has neither Upload-Length, Upload-Defer-Length nor a body.',
    });
  if (!isFinal && lengthBytes === undefined && !isLengthDeferred)
    throw missing('Upload-Length', 'Upload-Length, or Upload-Defer-Length: 1');
  if (!isEmpty) requireBodyType(headers);
}

function fieldsOf(query: NonNullable<StartUploadData['query']>, { token }: Caller) {
  const { filename = '', mime_type: mimeType = '' } = query;
  return { fields: readUploadOptions(uploadOptions(query), { filename, mimeType }, token?.pins), filename };
}

/** @throws INVALID_UPLOAD_HEADER, UNSUPPORTED_UPLOAD_TYPE */
function appendOf(headers: UploadHeaders, { bytes }: Pick<Call, 'bytes'>): UploadHeaders {
  requireBodyType(headers);
  if (headers.offsetBytes === undefined) throw missing('Upload-Offset', 'Upload-Offset');
  if (headers.protocol === 'draft' && headers.isComplete === undefined)
    throw missing('Upload-Complete', 'Upload-Complete: ?1 or ?0');
  announcedSize(headers, headers.offsetBytes, bytes.announcedBytes);
  return headers;
}

function requireBodyType({ contentType, bodyType }: UploadHeaders): void {
  if (contentType !== bodyType)
    throw new Refusal('UNSUPPORTED_UPLOAD_TYPE', { detail: `Here it is ${bodyType}, got ${contentType ?? 'none'}.` });
}

function missing(name: string, wanted: string): Refusal {
  return new Refusal('INVALID_UPLOAD_HEADER', {
    message: `${name} is missing or has a value that is not allowed. Send ${wanted}.`,
  });
}

/**
 * Returns the size of the whole file, if the request says it. In the draft, the last request says it by its length.
 *
 * @throws SIZE_MISMATCH
 */
function announcedSize(
  { lengthBytes, isComplete }: UploadHeaders,
  offsetBytes: number,
  announcedBytes: number | undefined,
): number | undefined {
  const byBody = isComplete && announcedBytes !== undefined ? offsetBytes + announcedBytes : undefined;
  if (byBody !== undefined && lengthBytes !== undefined && byBody !== lengthBytes)
    throw new Refusal('SIZE_MISMATCH', {
      message: `Upload-Length says ${lengthBytes} bytes, and this last request ends at ${byBody}. Nothing was stored.`,
    });
  return lengthBytes ?? byBody;
}

/** Opens the upload of a start. */
async function open(deps: Deps, { fields, filename, conditions, headers }: Start, call: Call): Promise<UploadLookup> {
  const { caller, references, bytes } = call;
  const start = { caller, fields, filename, actor: actorOf(call) };
  const { concat, metadata } = headers;
  const sizeBytes = announcedSize(headers, 0, bytes.announcedBytes);
  const about = { ...(metadata !== undefined && { metadata }), ...(isConditional(conditions) && { conditions }) };
  const upload =
    typeof concat === 'object'
      ? await concatenateUploads(deps, {
          ...start,
          partials: concat.handles.map((handle) => references.upload(handle)),
          madeOf: concat.madeOf,
          serial: about,
        })
      : (
          await startChunkedUpload(deps, {
            ...start,
            sizeBytes,
            serial: { upload: { ...about, ...(concat === 'partial' && { isPartial: true }) } },
          })
        ).upload;
  return references.upload(formatUploadHandle(deps.secrets, upload));
}

interface Append {
  readonly upload: UploadLookup;
  readonly offsetBytes: number;
  readonly headers: UploadHeaders;
  readonly turn: Awaited<ReturnType<UploadTurns['take']>>;
}

async function append(deps: Deps, call: Call, { upload, offsetBytes, headers, turn }: Append): Promise<SerialState> {
  const { caller, bytes: body } = call;
  const declaredBytes = announcedSize(headers, offsetBytes, body.announcedBytes);
  const onProgress = (reached: number) => call.sendResumption({ 'Upload-Offset': String(reached) });
  const command = {
    sender: senderOf(caller),
    upload,
    offsetBytes,
    declaredBytes,
    checksum: headers.checksum,
    body,
    yielding: yieldingTo(deps, caller, actorOf(call)),
    onProgress,
  };
  // "rejecting the request once the offset exceeds the length, marking the upload resource invalid" (draft, 4.4.2).
  const onOverrun = () => abortChunkedUpload(deps, upload, actorOf(call));
  return appendBytes(deps, headers.protocol === 'draft' ? { ...command, onOverrun } : command, turn);
}

/** Whether the file ends with this request. */
function endsHere({ protocol, isComplete }: UploadHeaders, state: SerialState): boolean {
  return protocol === 'tus' ? isUnfinished(state) : isComplete === true;
}

async function finish(deps: Deps, call: Call, upload: UploadLookup, state: SerialState): Promise<SerialState> {
  await finishUpload(deps, { caller: call.caller, upload, actor: actorOf(call) }, state);
  return serialState(deps, upload);
}

/** Returns the response about a file, as the completion of a chunked upload has it. */
function fileReply({ publicHost }: Deps, { upload }: SerialState) {
  const { address } = upload.resolved;
  const { sizeBytes: size, etag, parts, sha256, expiresAt, isReplaced: replaced } = upload.outcome!;
  const place = placeOf(address, publicUrl(publicHost, address));
  return success({ ...place, ...expiryOf({ expiresAt }), size, etag, parts, sha256, replaced });
}

function limitOf(deps: Deps, state: SerialState): string {
  return headersOf(deps, state, 'draft')['Upload-Limit']!;
}
