import type { ReplyHeaders } from '#server/http/reply.ts';
import type { CacheOutcome, CacheWish } from '../cache/answer-cache.ts';

/** Reads what a request wants of the cache from its `Cache-Control`. Other directives have no effect. */
export function cacheWishOf(cacheControl: string | undefined): CacheWish {
  const directives = (cacheControl ?? '')
    .split(',')
    .map((directive) => directive.split('=', 1)[0]!.trim().toLowerCase());
  if (directives.includes('no-store')) return 'none';
  return directives.includes('no-cache') ? 'refresh' : 'use';
}

/**
 * Returns the headers that say what the cache did. Without a cache there are none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9211
 */
export function cacheHeadersOf(outcome: CacheOutcome | undefined): ReplyHeaders {
  if (!outcome) return {};
  if (outcome.type === 'hit') {
    const ttl = Math.floor(outcome.leftMs / 1000);
    return { 'Cache-Status': `cubby; hit; ttl=${ttl}`, Age: String(Math.floor(outcome.ageMs / 1000)) };
  }
  const stored = outcome.isStored ? '; stored' : '';
  if (outcome.type === 'miss') return { 'Cache-Status': `cubby; fwd=miss${stored}` };
  return { 'Cache-Status': `cubby; fwd=bypass${stored}; detail=${outcome.why}` };
}
