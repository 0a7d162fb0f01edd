import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalOf, stateOf, type UploadToken } from '#server/domain/access/upload-token.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'uploadTokens'>;
}

/**
 * Runs an upload that spends a use of its token. The use is reserved before a byte is received, so that parallel
 * uploads never exceed the uses, and returned when `upload` fails. The transaction that stores the file has to call
 * `spendReservedUse()`. Without a token the upload just runs.
 *
 * @throws ACCESS_DENIED, UPLOAD_TOKEN_USED, and what `upload` throws
 */
export async function withReservedUse<T>(
  { metadata }: Deps,
  token: UploadToken | undefined,
  upload: () => Promise<T>,
): Promise<T> {
  if (!token) return upload();
  await metadata.atomically(
    async (tx) => {
      await requireUsable(tx, token);
      if (!(await tx.uploadTokens.reserve(token.id))) throw new Refusal('UPLOAD_TOKEN_USED');
    },
    { account: token.accountId },
  );
  try {
    return await upload();
  } catch (error) {
    await returnUse(metadata, token);
    throw error;
  }
}

/**
 * Spends a use, in the transaction that stores the rows that it is spent for. Does nothing without a token.
 *
 * @throws ACCESS_DENIED, UPLOAD_TOKEN_USED
 */
export async function spendUse(
  tx: Transaction<'apiKeys' | 'events' | 'uploadTokens'>,
  token: UploadToken | undefined,
): Promise<void> {
  if (!token) return;
  await requireUsable(tx, token);
  if (!(await tx.uploadTokens.spend(token.id))) throw new Refusal('UPLOAD_TOKEN_USED');
  await recordUsedUp(tx, token);
}

/**
 * Spends the reserved use of an upload, in the transaction that stores its file. If the use was given back meanwhile,
 * because this process did not reach the database for some time, another one is spent. Does nothing without a token.
 *
 * @throws UPLOAD_TOKEN_USED
 */
export async function spendReservedUse(
  tx: Transaction<'events' | 'uploadTokens'>,
  token: UploadToken | undefined,
): Promise<void> {
  if (!token) return;
  if (!(await tx.uploadTokens.spendReserved(token.id)) && !(await tx.uploadTokens.spend(token.id)))
    throw new Refusal('UPLOAD_TOKEN_USED');
  await recordUsedUp(tx, token);
}

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly upload_token: { readonly uploadToken: Pick<UploadToken, 'id' | 'keyId' | 'maxUses' | 'expiresAt'> };
  }
}

/** Adds an event when no use is left, and none is reserved that may be given back. */
async function recordUsedUp(tx: Transaction<'events' | 'uploadTokens'>, token: UploadToken): Promise<void> {
  if (!(await tx.uploadTokens.isUsedUp(token.id))) return;
  const { id, keyId, maxUses, expiresAt, accountId } = token;
  const data = { uploadToken: { id, keyId, maxUses, expiresAt } };
  await tx.events.add({ accountId, type: 'upload_token.used_up', key: null, data }, tx.now);
}

/** Checks the token again, because it or its key may have ended since the request was authenticated. */
async function requireUsable(tx: Transaction<'apiKeys' | 'uploadTokens'>, { id, keyId }: UploadToken): Promise<void> {
  const token = await tx.uploadTokens.find(id);
  const code = token ? refusalOf(stateOf(token, await tx.apiKeys.find(keyId), tx.now), 'spend') : 'ACCESS_DENIED';
  if (code !== undefined) throw new Refusal(code);
}

/**
 * Returns a reserved use. If the metadata store cannot be written, the use stays reserved until the next start of the
 * server, or until another server gives it back.
 */
async function returnUse(metadata: Deps['metadata'], { id, accountId }: UploadToken): Promise<void> {
  const returning = metadata.atomically((tx) => tx.uploadTokens.returnReserved(id), { account: accountId });
  await returning.catch(() => undefined);
}

/**
 * Gives back the uses of uploads that a process left unfinished when it ended, or that all earlier ones did. Returns
 * how many there were.
 */
export function returnReservedUses({ metadata }: Deps, owner?: string): Promise<number> {
  return metadata.atomically((tx) => tx.uploadTokens.returnAllReserved(owner));
}
