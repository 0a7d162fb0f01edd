import type { Requester } from '#server/domain/access/requester.ts';
import { placesFor } from '#server/domain/access/places.ts';
import { maxFileRequests } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hashForLink, requirePasswordPlan } from '#server/features/shares/create-share.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { requireDeadline } from './deadline.ts';
import { stateOf, type FileRequest, type OwnedFileRequest } from './file-request.ts';
import { nothingReserved } from './reserved-space.ts';
import { storedLink } from './link.ts';
import { auditRequestChange, recordRequestChange } from './request-event.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'events' | 'fileRequests'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
}

/** What an owner chooses for a request. Null for what is left out. */
export type RequestTerms = Pick<
  FileRequest,
  | 'title'
  | 'note'
  | 'deadlineAt'
  | 'graceMs'
  | 'maxFiles'
  | 'maxBytes'
  | 'maxFileBytes'
  | 'allowedExtensions'
  | 'hasSenderFolders'
>;

interface CreateFileRequest extends Requester {
  readonly prefix: Prefix;
  readonly terms: RequestTerms;
  readonly password: string | undefined;
}

/**
 * Creates a page where others put files into a folder.
 *
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws INVALID_DEADLINE
 * @throws TOO_MANY_FILE_REQUESTS when the account has 1000
 * @throws SERVER_OVERLOADED while too many passwords are being hashed
 */
export async function createFileRequest(deps: Deps, command: CreateFileRequest): Promise<OwnedFileRequest> {
  const { account, prefix, terms, password, keyId } = command;
  const { metadata, secrets, ids } = deps;
  if (password !== undefined) requirePasswordPlan(account.plan, 'file request');
  const passwordHash = password === undefined ? null : await hashForLink(deps, account.id, password);
  const [id, link] = [ids.opaqueId(), ids.opaqueId()];
  return metadata.atomically(
    async (tx) => {
      requireDeadline(terms.deadlineAt, tx.now);
      const places = await placesFor(tx, account.id, keyId, maxFileRequests);
      if ((await tx.fileRequests.countOf(account.id)) >= places) throw new Refusal('TOO_MANY_FILE_REQUESTS');
      const request: FileRequest = {
        ...{ id, ...storedLink(secrets, id, link), accountId: account.id, prefix, ...terms, passwordHash },
        ...{ createdAt: tx.now, closedAt: null, deletedAt: null, files: 0, bytes: 0, senders: 0 },
      };
      await tx.fileRequests.add(request);
      await recordRequestChange(tx, 'file_request.created', request, command);
      await auditRequestChange(tx, 'file_request.created', request, command);
      return { request, state: stateOf(request, tx.now), link, reserved: nothingReserved };
    },
    { account: account.id },
  );
}
