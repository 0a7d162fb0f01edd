import { parsing } from '#server/http/operation.ts';
import type { FileRequestsHandlers } from '#generated/router.ts';
import type { CreateFileRequestData, FileRequest as WireRequest, UpdateFileRequestData } from '#generated/types.ts';
import { readPrefix } from '#server/domain/file-options.ts';
import { createFileRequest, type RequestTerms } from '../create-file-request.ts';
import { deleteFileRequest } from '../delete-file-request.ts';
import { spaceLeftOf, type OwnedFileRequest } from '../file-request.ts';
import { listFileRequests } from '../list-file-requests.ts';
import { updateFileRequest, type FileRequestChanges } from '../update-file-request.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { parseInstant } from '#server/domain/parse-instant.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { mayWrite, type Call } from '#server/handlers/call.ts';
import { requesterOf } from '#server/handlers/requester.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';
import { lineOf, requireTypable } from '#server/handlers/typed-text.ts';
import { continuation, cursorOf, distinct, done, success, timestamp, timestampOrNull } from '#server/handlers/wire.ts';

type Deps = CorePorts & Pick<Ports, 'filesHost' | 'scrypt'> & { readonly hashing: HashQueue };

const defaultGraceSeconds = 3600;

/**
 * Returns the address of the page of a file request.
 *
 * @param filesHost address of the files host, without a trailing slash
 */
export function requestUrl(filesHost: string, link: string): string {
  return `${filesHost}/r/${link}`;
}

/** The operations of the owner. The others are for senders. */
export type ForOwners = 'createFileRequest' | 'deleteFileRequest' | 'listFileRequests' | 'updateFileRequest';

/** Returns the handlers of file requests, as their owner sees them. */
export function fileRequestsHandlers(deps: Deps): Pick<FileRequestsHandlers<Call>, ForOwners> {
  const shown = (owned: OwnedFileRequest, { caller }: Pick<Call, 'caller'>) =>
    requestOf(owned, mayWrite(caller) ? requestUrl(deps.filesHost, owned.link) : null);
  return {
    createFileRequest: parsing(
      ({ body }) => requestCommand(body),
      async (requested, call) => {
        const created = await createFileRequest(deps, { ...requested, ...requesterOf(call) });
        return { ...success(shown(created, call)), status: 201 };
      },
    ),

    async listFileRequests({ query }, call) {
      const { account, key } = call.caller;
      const { rows: requests, next } = await listFileRequests(deps, {
        accountId: account.id,
        within: key.prefixes,
        id: query.id,
        state: query.state,
        prefix: query.prefix ?? '',
        limit: query.limit ?? 100,
        cursor: cursorOf(query),
      });
      return success({ file_requests: requests.map((request) => shown(request, call)), ...continuation(next) });
    },

    updateFileRequest: parsing(
      ({ body }) => ({ requestId: body.id, changes: changesOf(body) }),
      async (requested, call) => {
        return success(shown(await updateFileRequest(deps, { ...requested, ...requesterOf(call) }), call));
      },
    ),

    async deleteFileRequest({ body }, call) {
      await deleteFileRequest(deps, { requestId: body.id, ...requesterOf(call) });
      return done;
    },
  };
}

/** @throws INVALID_OBJECT_PREFIX, INVALID_PASSWORD, INVALID_REQUEST_TITLE, INVALID_REQUEST_NOTE, INVALID_DEADLINE */
function requestCommand(body: CreateFileRequestData['body']) {
  const { password } = body;
  const prefix = readPrefix(body.prefix);
  if (prefix === undefined) throw new Refusal('INVALID_OBJECT_PREFIX', { detail: got(body.prefix) });
  requireTypable(password);
  const terms: RequestTerms = {
    title: lineOf(body.title, 'INVALID_REQUEST_TITLE'),
    note: body.note === undefined ? null : lineOf(body.note, 'INVALID_REQUEST_NOTE'),
    deadlineAt: body.deadline === undefined ? null : instantOf(body.deadline),
    graceMs: (body.grace ?? defaultGraceSeconds) * 1000,
    maxFiles: body.max_files ?? null,
    maxBytes: body.max_bytes ?? null,
    maxFileBytes: body.max_size ?? null,
    allowedExtensions: body.allowed_extensions ? distinct(body.allowed_extensions) : null,
    hasSenderFolders: body.sender_folders ?? false,
  };
  return { prefix, terms, password };
}

/** @throws INVALID_PASSWORD, INVALID_REQUEST_TITLE, INVALID_REQUEST_NOTE, INVALID_DEADLINE */
function changesOf(body: UpdateFileRequestData['body']): FileRequestChanges {
  const { password, title, note, deadline, grace, allowed_extensions: extensions, state } = body;
  requireTypable(password);
  return {
    terms: {
      title: title === undefined ? undefined : lineOf(title, 'INVALID_REQUEST_TITLE'),
      note: typeof note === 'string' ? lineOf(note, 'INVALID_REQUEST_NOTE') : note,
      deadlineAt: typeof deadline === 'string' ? instantOf(deadline) : deadline,
      graceMs: grace === undefined ? undefined : grace * 1000,
      maxFiles: body.max_files,
      maxBytes: body.max_bytes,
      maxFileBytes: body.max_size,
      allowedExtensions: extensions && distinct(extensions),
      hasSenderFolders: body.sender_folders,
    },
    password,
    state,
  };
}

/** @throws INVALID_DEADLINE */
function instantOf(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Refusal('INVALID_DEADLINE', { detail: got(text) });
  return instant;
}

function requestOf({ request, state, reserved }: OwnedFileRequest, url: string | null): WireRequest {
  const left = spaceLeftOf(request);
  return {
    id: request.id,
    url,
    title: request.title,
    ...(request.note !== null && { note: request.note }),
    prefix: request.prefix,
    state,
    deadline: timestampOrNull(request.deadlineAt),
    grace: request.graceMs / 1000,
    max_files: request.maxFiles,
    max_bytes: request.maxBytes,
    max_size: request.maxFileBytes,
    allowed_extensions: request.allowedExtensions && [...request.allowedExtensions],
    password: request.passwordHash !== null,
    sender_folders: request.hasSenderFolders,
    files: request.files,
    bytes: request.bytes,
    senders: request.senders,
    remaining_files: left.files,
    remaining_bytes: left.bytes,
    held_files: reserved.files,
    held_bytes: reserved.bytes,
    created_at: timestamp(request.createdAt),
    closed_at: timestampOrNull(request.closedAt),
  };
}
