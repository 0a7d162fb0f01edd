import type { Reach } from '#server/domain/access/requester.ts';
import { findByCredential, hashText } from '#server/domain/find-by-credential.ts';
import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Share } from './share.ts';
import type { SharesTable, StoredShareId } from './table.ts';

const purpose = 'share-id';

interface OwnShare extends Reach {
  readonly shareId: string;
}

/** Returns the text under whose keyed hash a link is stored. It differs from that of all other credentials. */
function shareCredential(shareId: string): string {
  return `share:${shareId}`;
}

/** Returns the keyed hash by which a link is stored and found: 43 characters of base64url. */
export function shareIdHash(secrets: Pick<KeySecrets, 'credentialHash'>, shareId: string): string {
  return hashText(secrets.credentialHash(shareCredential(shareId)));
}

/** Finds a link by its id. */
export function findShareById(
  { shares }: { readonly shares: Pick<SharesTable, 'find'> },
  secrets: Pick<Secrets, 'finders'>,
  shareId: string,
): Promise<Share | undefined> {
  return findByCredential(secrets, shareCredential(shareId), (hash) => shares.find(hashText(hash)));
}

/**
 * Finds a link that a key manages.
 *
 * @throws SHARE_NOT_FOUND when it is unknown or another account's
 * @throws PREFIX_NOT_ALLOWED when its files are outside the prefixes
 */
export async function findOwnShare(
  tables: { readonly shares: Pick<SharesTable, 'find'> },
  secrets: Pick<Secrets, 'finders'>,
  { accountId, shareId, prefixes }: OwnShare,
): Promise<Share> {
  const share = await findShareById(tables, secrets, shareId);
  if (share?.object.accountId !== accountId) throw new Refusal('SHARE_NOT_FOUND');
  if (prefixes && !coversKey(prefixes, share.object.key)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return share;
}

/** Returns the stored form of an id: its hash, and the id encrypted under the master key, to show it to its owner. */
export function storedShareId(secrets: Pick<Secrets, 'credentialHash' | 'seal'>, shareId: string): StoredShareId {
  const idHash = shareIdHash(secrets, shareId);
  return { idHash, sealedId: secrets.seal(purpose, shareId, idHash) };
}

/**
 * Returns the id of a stored link. Undefined when it was stored under another master key, so that nothing opens it.
 */
export function openShareId(secrets: Pick<Secrets, 'unseal'>, { idHash, sealedId }: StoredShareId): string | undefined {
  return secrets.unseal(purpose, sealedId, idHash);
}

/**
 * Returns what replaces the stored id of a link after a rotation of the master key. Undefined if there is nothing to
 * change, or nobody can open the link.
 */
export function renewedShareId(
  secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'signers' | 'unseal'>,
  { idHash, sealedId }: StoredShareId,
): { readonly foundBy: string; readonly sealedId: string } | undefined {
  const shareId = toReseal(secrets, purpose, sealedId, idHash);
  if (shareId === undefined) return undefined;
  return { foundBy: shareIdHash(secrets, shareId), sealedId: secrets.seal(purpose, shareId, idHash) };
}
