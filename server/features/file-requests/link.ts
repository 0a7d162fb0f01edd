import { findByCredential, hashText } from '#server/domain/find-by-credential.ts';
import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import type { FileRequest } from './file-request.ts';
import type { FileRequestsTable } from './table.ts';

const purpose = 'file-request-link';

/** Returns the text under whose keyed hash a request is found. It differs from that of all other credentials. */
function credentialOf(link: string): string {
  return `file-request:${link}`;
}

/** Returns the keyed hash by which a request is found: 43 characters of base64url. */
export function linkHash(secrets: Pick<KeySecrets, 'credentialHash'>, link: string): string {
  return hashText(secrets.credentialHash(credentialOf(link)));
}

/** Finds a request by the secret in its address. */
export function findByLink(
  { fileRequests }: { readonly fileRequests: Pick<FileRequestsTable, 'findByLink'> },
  secrets: Pick<Secrets, 'finders'>,
  link: string,
): Promise<FileRequest | undefined> {
  return findByCredential(secrets, credentialOf(link), (hash) => fileRequests.findByLink(hashText(hash)));
}

/** The stored form of the secret of a request. */
type StoredLink = Pick<FileRequest, 'linkHash' | 'sealedLink'>;

/** Returns the stored form of a secret: its hash, and the secret encrypted under the master key. */
export function storedLink(
  secrets: Pick<Secrets, 'credentialHash' | 'seal'>,
  requestId: string,
  link: string,
): StoredLink {
  return { linkHash: linkHash(secrets, link), sealedLink: secrets.seal(purpose, link, requestId) };
}

/** Returns the secret of a request. Undefined if it was stored under another master key, so that nothing opens it. */
export function openLink(
  secrets: Pick<Secrets, 'unseal'>,
  { id, sealedLink }: Pick<FileRequest, 'id' | 'sealedLink'>,
): string | undefined {
  return secrets.unseal(purpose, sealedLink, id);
}

/**
 * Returns what replaces the stored secret after a rotation of the master key. Undefined if there is nothing to change,
 * or nobody can open the page.
 */
export function renewedLink(
  secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'signers' | 'unseal'>,
  { id, sealedLink }: Pick<FileRequest, 'id' | 'sealedLink'>,
): StoredLink | undefined {
  const link = toReseal(secrets, purpose, sealedLink, id);
  return link === undefined ? undefined : storedLink(secrets, id, link);
}
