import type { Secrets } from '../ports/secrets.ts';

/**
 * Returns a stored text that is to be sealed again after a rotation of the master key. Undefined if it is under the
 * current one, or nothing can open it.
 */
export function toReseal(
  secrets: Pick<Secrets, 'signers' | 'unseal'>,
  purpose: string,
  sealed: string,
  id: string,
): string | undefined {
  const isCurrent = secrets.signers()[0]!.unseal(purpose, sealed, id) !== undefined;
  return isCurrent ? undefined : secrets.unseal(purpose, sealed, id);
}
