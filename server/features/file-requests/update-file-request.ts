import type { Requester } from '#server/domain/access/requester.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hashForLink, requirePasswordPlan } from '#server/features/shares/create-share.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import type { RequestTerms } from './create-file-request.ts';
import { requireDeadline } from './deadline.ts';
import { stateOf, type FileRequest, type OwnedFileRequest } from './file-request.ts';
import { releaseReserved, reservedNow } from './reserved-space.ts';
import { openLink } from './link.ts';
import { requireOwn } from './require-own.ts';
import { auditRequestChange, recordRequestChange, recordRequestEnd } from './request-event.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'audit' | 'chunkedUploads' | 'events' | 'fileRequests'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
}

/** The changes of a request. `undefined` for what stays. */
export interface FileRequestChanges {
  readonly terms: { readonly [term in keyof RequestTerms]: RequestTerms[term] | undefined };
  /** Null removes the password. */
  readonly password: string | null | undefined;
  readonly state: 'open' | 'closed' | undefined;
}

interface UpdateFileRequest extends Requester {
  readonly requestId: string;
  readonly changes: FileRequestChanges;
}

/**
 * Changes a request, closes it, or opens it again. Its address stays. Closing frees the space of its uploads.
 *
 * @throws NOTHING_TO_UPDATE
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws INVALID_DEADLINE
 * @throws FILE_REQUEST_NOT_FOUND when it is unknown, deleted, or another account's
 * @throws PREFIX_NOT_ALLOWED when its folder is outside the prefixes
 * @throws INVALID_REQUEST_STATE when it is to be opened and its deadline has passed
 * @throws SERVER_OVERLOADED while too many passwords are being hashed
 */
export async function updateFileRequest(deps: Deps, command: UpdateFileRequest): Promise<OwnedFileRequest> {
  const { account, changes } = command;
  const { password, state, terms } = changes;
  if ([password, state, ...Object.values(terms)].every((value) => value === undefined))
    throw new Refusal('NOTHING_TO_UPDATE');
  if (typeof password === 'string') requirePasswordPlan(account.plan, 'file request');
  const passwordHash = typeof password === 'string' ? await hashForLink(deps, account.id, password) : password;
  return deps.metadata.atomically((tx) => update(tx, deps.secrets, command, passwordHash), { account: account.id });
}

async function update(
  tx: Transaction<'activity' | 'audit' | 'chunkedUploads' | 'events' | 'fileRequests'>,
  secrets: Deps['secrets'],
  command: UpdateFileRequest,
  passwordHash: string | null | undefined,
): Promise<OwnedFileRequest> {
  const { requestId, changes, actor } = command;
  const request = await requireOwn(tx, command);
  requireDeadline(changes.terms.deadlineAt, tx.now);
  const changed = changedRequest(request, changes, passwordHash, tx.now);
  const state = stateOf(changed, tx.now);
  if (changes.state === 'open' && state !== 'open')
    throw new Refusal('INVALID_REQUEST_STATE', {
      message: 'The deadline of this request has passed. Send a new deadline, or null, together with `state`.',
    });
  const link = openLink(secrets, request);
  // Nobody can open a page whose secret is lost.
  if (link === undefined) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  await tx.fileRequests.change(changed);
  if (changes.state === 'closed') await releaseReserved(tx, requestId);
  await recordRequestChange(tx, 'file_request.updated', changed, command);
  if (state === 'open') await tx.fileRequests.noteEnd(requestId, false);
  else if (changes.state === 'closed') await recordRequestEnd(tx, changed, 'closed', { auth: actor.auth });
  const reserved = await reservedNow(tx, requestId);
  await auditRequestChange(tx, 'file_request.updated', changed, command);
  return { request: changed, state, link, reserved };
}

function changedRequest(
  request: FileRequest,
  { terms, state }: FileRequestChanges,
  passwordHash: string | null | undefined,
  now: number,
): FileRequest {
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
  return {
    ...request,
    ...given,
    ...(passwordHash !== undefined && { passwordHash }),
    ...(state === 'closed' && { closedAt: request.closedAt ?? now }),
    ...(state === 'open' && { closedAt: null }),
  };
}
