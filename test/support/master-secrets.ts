import type { Secrets } from '#server/domain/ports/secrets.ts';
import { keySecrets } from '#server/stores/system/secrets.ts';

/** Secrets of an installation whose master key is not being rotated. @param masterKey 32 bytes or more */
export function masterSecrets(masterKey: Uint8Array): Secrets {
  const key = keySecrets(masterKey, 1);
  const only = [key];
  return { ...key, finders: () => only, signers: () => only };
}
