import { findByCredential } from '../find-by-credential.ts';
import type { KeySecrets, Secrets } from '../ports/secrets.ts';
import type { Share } from './share.ts';
import type { SharesTable, StoredShareId } from './table.ts';

const purpose = 'share-id';

/** Returns the text under whose keyed hash a link is stored. It differs from that of all other credentials. */
function shareCredential(shareId: string): string {
  return `share:${shareId}`;
}

function textOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url');
}

/** Returns the keyed hash by which a link is stored and found: 43 characters of base64url. */
export function shareIdHash(secrets: Pick<KeySecrets, 'credentialHash'>, shareId: string): string {
  return textOf(secrets.credentialHash(shareCredential(shareId)));
}

/** Finds a link by its id. */
export function findShareById(
  { shares }: { readonly shares: Pick<SharesTable, 'find'> },
  secrets: Pick<Secrets, 'finders'>,
  shareId: string,
): Promise<Share | undefined> {
  return findByCredential(secrets, shareCredential(shareId), (hash) => shares.find(textOf(hash)));
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
  if (secrets.signers()[0]!.unseal(purpose, sealedId, idHash) !== undefined) return undefined;
  const shareId = openShareId(secrets, { idHash, sealedId });
  if (shareId === undefined) return undefined;
  return { foundBy: shareIdHash(secrets, shareId), sealedId: secrets.seal(purpose, shareId, idHash) };
}
