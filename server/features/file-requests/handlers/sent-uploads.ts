import { finding } from '#server/http/operation.ts';
import type { FileRequestsHandlers } from '#generated/router.ts';
import type { NewSentUpload, SentUpload } from '#generated/types.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { abortChunkedUpload } from '#server/features/uploads/abort-chunked-upload.ts';
import { holdsPlace, type AnnouncedUpload } from '../announced-upload.ts';
import { isFull } from '../file-request.ts';
import { forSender } from '../for-sender.ts';
import { receiveFile } from '../receive-file.ts';
import { finishSent, sentBytesSender, sentUploadLookup, type SentUploadLookup } from '../sent-upload.ts';
import { holdPlaceAgain, startSentUpload } from '../start-sent-upload.ts';
import { admit, findRequest, visitRequest, type VisitedRequest } from '../visit-request.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { appendBytes } from '#server/features/uploads/append-bytes.ts';
import type { SerialState } from '#server/features/uploads/serial-state.ts';
import { settledState } from '#server/features/uploads/upload-progress.ts';
import type { Call } from '#server/handlers/call.ts';
import { requestUrl } from './file-requests.ts';
import { requireOwnPage } from '#server/handlers/own-page.ts';
import { requestCookies } from './request-cookies.ts';
import { pageSender, requireName, senderActor } from './page-sender.ts';
import type { ReceivingDeps } from './request-form-view.ts';
import { expiresAtOf } from '#server/features/uploads/handlers/upload-responses.ts';
import { withTurn } from '#server/features/uploads/handlers/upload-turn.ts';
import { success, timestampOrNull } from '#server/handlers/wire.ts';

const noStore = { 'Cache-Control': 'no-store' } as const;

/** Returns the handlers of files that are sent to a request in several steps. */
export function sentUploadsHandlers(deps: ReceivingDeps) {
  return {
    startSentUpload: finding(
      async ({ path: { request_token: link } }, call) => void (await openedRequest(deps, link, call)),
      ({ path: { request_token: link }, body }, call) => start(deps, link, body, call),
    ),

    async getSentUpload({ path }, call) {
      const visit = await visitUpload(deps, path, call);
      const state = await withTurn(deps, visit.lookup, async (turn) =>
        finish(deps, visit, call, await settledState(deps, visit.lookup, turn)),
      );
      return answerOf(state);
    },

    async putSentBytes({ path }, call) {
      requireOwnPage(deps.filesHost, call);
      const offsetBytes = offsetOf(call);
      const visit = await visitUpload(deps, path, call);
      const { visited, lookup, upload } = visit;
      if (upload.state === 'open' && !holdsPlace(upload, deps.clock.now())) await holdPlaceAgain(deps, upload);
      const sender = sentBytesSender(deps, visited, upload);
      const append = { sender, upload: lookup, offsetBytes, declaredBytes: undefined, checksum: undefined };
      const state = await withTurn(deps, lookup, async (turn) =>
        finish(deps, visit, call, await appendBytes(deps, { ...append, body: call.bytes }, turn).catch(asSender)),
      );
      return answerOf(state);
    },

    async deleteSentUpload({ path }, call) {
      requireOwnPage(deps.filesHost, call);
      const found = await findRequest(deps, path.request_token);
      if (!found) throw new Refusal('FILE_REQUEST_NOT_FOUND');
      const lookup = lookupOf(deps, found.request.id, path, call);
      await withTurn(deps, lookup, () => abortChunkedUpload(deps, lookup, systemActor), 'abort');
      return { status: 204 };
    },
  } satisfies Partial<FileRequestsHandlers<Call>>;
}

/** A sender learns nothing about the account. */
function asSender(error: unknown): never {
  throw forSender(error);
}

/** Returns a request that takes files. @throws INVALID_FORM_TOKEN, FILE_REQUEST_FULL, and what visitRequest() throws */
async function openedRequest(deps: ReceivingDeps, link: string, call: Call): Promise<VisitedRequest> {
  requireOwnPage(deps.filesHost, call);
  const { pass } = requestCookies(requestUrl(deps.filesHost, link));
  const visited = await visitRequest(deps, { link, pass: pass.of(call) });
  if (isFull(visited.request)) throw new Refusal('FILE_REQUEST_FULL');
  return visited;
}

async function start(deps: ReceivingDeps, link: string, body: NewSentUpload, call: Call) {
  const url = requestUrl(deps.filesHost, link);
  const cookies = requestCookies(url);
  const begunAt = deps.clock.now();
  const visited = await openedRequest(deps, link, call);
  const sender = await pageSender(deps, visited.request, cookies.sender.of(call));
  const senderName = visited.request.hasSenderFolders ? requireName(sender.known, body.sender) : null;
  const sending = { visited, begunAt, senderHash: sender.hash, senderName, actor: senderActor(call) };
  const opened = await opening(deps, sending, body, call);
  return {
    ...success(opened),
    status: 201 as const,
    headers: {
      ...noStore,
      Location: `${url}/uploads/${opened.upload}`,
      'Set-Cookie': cookies.sender.set(sender.secret),
      'Upload-Offset': '0',
    },
  };
}

/** Opens an upload. An empty file has no bytes to wait for, so it is stored at once. */
async function opening(
  deps: ReceivingDeps,
  sending: Parameters<typeof startSentUpload>[1],
  { name: filename, size: sizeBytes }: NewSentUpload,
  call: Call,
): Promise<SentUpload> {
  if (sizeBytes === 0) {
    const { name } = await receiveFile(deps, { ...sending, signal: call.signal }, { filename, bytes: noBytes() });
    return { upload: deps.ids.opaqueId(), name, offset: 0, size: 0, complete: true, expires_at: null };
  }
  const upload = await startSentUpload(deps, sending, { filename, sizeBytes });
  const expires = expiresAtOf({ ...upload, state: 'open', activeAt: upload.startedAt });
  return {
    ...{ upload: upload.id, name: upload.originalName!, offset: 0, size: sizeBytes, complete: false },
    expires_at: timestampOrNull(expires),
  };
}

// eslint-disable-next-line require-yield
async function* noBytes(): AsyncGenerator<Uint8Array> {}

interface UploadPath {
  readonly request_token: string;
  readonly upload: string;
}

/** An upload of the sender, at a request that still takes it. */
interface UploadVisit {
  readonly visited: VisitedRequest;
  readonly lookup: SentUploadLookup;
  readonly upload: AnnouncedUpload;
}

/**
 * Finds an upload of the sender with this cookie.
 *
 * @throws UPLOAD_NOT_FOUND, and what {@link visitRequest} throws
 */
async function visitUpload(deps: ReceivingDeps, path: UploadPath, call: Call): Promise<UploadVisit> {
  const found = await findRequest(deps, path.request_token);
  if (!found) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  const lookup = lookupOf(deps, found.request.id, path, call);
  const pass = requestCookies(requestUrl(deps.filesHost, path.request_token)).pass.of(call);
  const begunAt = await lookup.find().then(
    ({ startedAt }) => startedAt,
    // Without an upload, the state of the request is what counts.
    (error: unknown) => (error instanceof Refusal ? undefined : Promise.reject(error)),
  );
  const visited = await admit(deps, found, { pass, begunAt: begunAt ?? deps.clock.now() });
  return { visited, lookup, upload: await lookup.find() };
}

function lookupOf(deps: ReceivingDeps, requestId: string, path: UploadPath, call: Call): SentUploadLookup {
  const { sender } = requestCookies(requestUrl(deps.filesHost, path.request_token));
  return sentUploadLookup(deps, { requestId, secret: sender.of(call), uploadId: path.upload });
}

/** @throws UNSUPPORTED_UPLOAD_TYPE, INVALID_UPLOAD_HEADER */
function offsetOf(call: Call): number {
  const { contentType, bodyType, offsetBytes } = call.readDraftHeaders();
  if (contentType !== bodyType)
    throw new Refusal('UNSUPPORTED_UPLOAD_TYPE', { detail: `Here it is ${bodyType}, got ${contentType ?? 'none'}.` });
  if (offsetBytes === undefined)
    throw new Refusal('INVALID_UPLOAD_HEADER', {
      message: 'Upload-Offset is missing or has a value that is not allowed. Send the offset of the first byte.',
    });
  return offsetBytes;
}

function finish(deps: ReceivingDeps, { visited, lookup, upload }: UploadVisit, call: Call, state: SerialState) {
  return finishSent(deps, { visited, lookup, announcement: upload.announcement, actor: senderActor(call) }, state);
}

function answerOf({ upload, offsetBytes }: SerialState) {
  const isComplete = upload.outcome !== null;
  const size = upload.declaredBytes!;
  return {
    ...success({
      ...{ upload: upload.id, name: upload.originalName!, offset: offsetBytes, size, complete: isComplete },
      expires_at: timestampOrNull(expiresAtOf(upload)),
    }),
    headers: {
      ...noStore,
      'Upload-Offset': String(offsetBytes),
      'Upload-Length': String(size),
      'Upload-Complete': isComplete ? '?1' : '?0',
    },
  };
}
