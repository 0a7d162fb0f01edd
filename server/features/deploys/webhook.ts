import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';

/** The webhook of an application as it is stored. Sealed texts can be read only with the master key. */
export interface GitWebhook {
  readonly appId: string;
  /** Keyed hash of the last part of its address. */
  readonly codeHash: Uint8Array;
  readonly sealedCode: string;
  readonly sealedToken: string;
  /** The secret that deliveries are signed with; null when they are not checked. */
  readonly sealedSecret: string | null;
  /**
   * The only origin that the token is sent to. It is the origin of the first repository that was cloned, or pushed with
   * a signature, since the webhook was created. Null before.
   */
  readonly tokenOrigin: string | null;
  /** When the window of the last push began; null before the first. */
  readonly pushedAt: number | null;
  /** The pushes that were queued in that window. */
  readonly pushes: number;
}

/** The purposes of sealed texts, so that no text can replace one of another purpose. */
export const sealedFor = { code: 'git-webhook-code', token: 'git-access-token', secret: 'git-webhook-secret' } as const;

/** Returns the text under which a code is hashed. It differs from that of all other credentials. */
export function webhookCredential(code: string): string {
  return `git-webhook:${code}`;
}

/** The parts of a webhook that are stored under the master key. */
export type StoredCode = Pick<GitWebhook, 'codeHash' | 'sealedCode' | 'sealedToken' | 'sealedSecret'>;

/**
 * Returns what replaces the stored parts after a rotation of the master key. Undefined if there is nothing to change,
 * or the webhook cannot be read.
 */
export function renewedWebhook(
  secrets: Pick<Secrets, 'credentialHash' | 'seal' | 'signers' | 'unseal'>,
  { appId, sealedCode, sealedToken, sealedSecret }: GitWebhook,
): StoredCode | undefined {
  const code = toReseal(secrets, sealedFor.code, sealedCode, appId);
  const token = secrets.unseal(sealedFor.token, sealedToken, appId);
  const secret = sealedSecret === null ? null : secrets.unseal(sealedFor.secret, sealedSecret, appId);
  if (code === undefined || token === undefined || secret === undefined) return undefined;
  return {
    codeHash: secrets.credentialHash(webhookCredential(code)),
    sealedCode: secrets.seal(sealedFor.code, code, appId),
    sealedToken: secrets.seal(sealedFor.token, token, appId),
    sealedSecret: secret === null ? null : secrets.seal(sealedFor.secret, secret, appId),
  };
}
