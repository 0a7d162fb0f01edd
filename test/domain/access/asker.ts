import type { KeyAsker } from '#server/domain/access/live-key.ts';

/** Returns a caller with this key. */
export function asker(keyId: string): KeyAsker {
  return { keyId, actor: { sourceIp: '203.0.113.7', userAgent: 'curl/8.14.1', auth: 'api_key' } };
}
