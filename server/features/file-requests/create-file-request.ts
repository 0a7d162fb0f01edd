import { placesFor } from '#server/domain/access/places.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { keyHolder, recordAudit } from '#server/domain/audit/record-audit.ts';
import { maxFileRequests } from '#server/domain/limits.ts';
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
import { recordRequestEvent } from './request-event.ts';

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

interface CreateFileRequest {
  readonly account: Account;
  readonly prefix: Prefix;
  readonly terms: RequestTerms;
  readonly password: string | undefined;
  readonly actor: Actor;
  /** The key that was sent. */
  readonly keyId: string;
}

/**
 * Creates a page where others put files into a folder.
 *
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws INVALID_DEADLINE
 * @throws TOO_MANY_FILE_REQUESTS when the account has 1000
 * @throws SERVER_OVERLOADED while too many passwords are being hashed
 */
export async function createFileRequest(
  deps: Deps,
  { account, prefix, terms, password, actor, keyId }: CreateFileRequest,
): Promise<OwnedFileRequest> {
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
      const details = { file_request: id, prefix };
      await recordActivity(tx, { accountId: account.id, type: 'file_request.created', object: null, details, actor });
      await recordRequestEvent(tx, 'file_request.created', request, { auth: actor.auth });
      await recordAudit(tx, {
        action: 'file_request.created',
        by: keyHolder(keyId, actor),
        accountId: account.id,
        subject: id,
        details: { prefix, password: passwordHash !== null },
      });
      return { request, state: stateOf(request, tx.now), link, reserved: nothingReserved };
    },
    { account: account.id },
  );
}
