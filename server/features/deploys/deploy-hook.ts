import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { GitHost } from './deploy.ts';

/** The deploy hook of an application: an address that queues a deploy without a git host. */
export interface DeployHook {
  readonly appId: string;
  /** Keyed hash of the last part of its address. */
  readonly codeHash: Uint8Array;
  /** The same part, readable with the master key alone. It is never shown again. */
  readonly sealedCode: string;
  /** The address to clone from. */
  readonly repository: string;
  /** The branch of a deploy that names none. */
  readonly branch: string;
  readonly host: GitHost;
  readonly createdAt: number;
  /** When the window of the last use began; null before the first. */
  readonly usedAt: number | null;
  /** The uses in that window. */
  readonly uses: number;
}

/** The purpose of the sealed code, so that no text can replace one of another purpose. */
export const sealedForHook = 'deploy-hook-code';

/** Returns the text under which a code is hashed. It differs from that of all other credentials. */
export function hookCredential(code: string): string {
  return `deploy-hook:${code}`;
}

/**
 * Returns what replaces the stored code after a rotation of the master key. Undefined if there is nothing to change, or
 * it cannot be read.
 */
export function renewedHook(
  secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'signers' | 'unseal'>,
  { appId, sealedCode }: DeployHook,
): Pick<DeployHook, 'codeHash' | 'sealedCode'> | undefined {
  const code = toReseal(secrets, sealedForHook, sealedCode, appId);
  if (code === undefined) return undefined;
  return {
    codeHash: secrets.credentialHash(hookCredential(code)),
    sealedCode: secrets.seal(sealedForHook, code, appId),
  };
}
