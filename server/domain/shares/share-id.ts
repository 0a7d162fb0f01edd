import type { Secrets } from '../ports/secrets.ts';
import type { Share } from './share.ts';

const purpose = 'share-id';

/** The stored form of the id of a link. It opens no link without the master key. */
type StoredShareId = Pick<Share, 'idHash' | 'sealedId'>;

/** Returns the keyed hash by which a link is stored and found: 43 characters of base64url. */
export function shareIdHash(secrets: Pick<Secrets, 'credentialHash'>, shareId: string): string {
  return Buffer.from(secrets.credentialHash(`share:${shareId}`)).toString('base64url');
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
