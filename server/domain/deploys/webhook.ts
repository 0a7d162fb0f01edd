/**
 * The webhook of an application as it is stored. What is sealed can be read with the master key alone, for this
 * application alone.
 */
export interface GitWebhook {
  readonly appId: string;
  /** Keyed hash of the last part of its address. */
  readonly codeHash: Uint8Array;
  readonly sealedCode: string;
  readonly sealedToken: string;
  /** What deliveries are signed with; null when they are not checked. */
  readonly sealedSecret: string | null;
  /**
   * The origin of the first repository that was pushed with a signature or cloned since the webhook was made, to which
   * alone the token is sent; null before.
   */
  readonly tokenOrigin: string | null;
  /** When the last push was queued; null before the first. */
  readonly pushedAt: number | null;
}

/** What sealed texts are for: one cannot stand in for another. */
export const sealedFor = { code: 'git-webhook-code', token: 'git-access-token', secret: 'git-webhook-secret' } as const;

/** How a code is hashed: the text stands apart from that of all other credentials. */
export function webhookCredential(code: string): string {
  return `git-webhook:${code}`;
}
