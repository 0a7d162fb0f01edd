import { sharePassMs } from '#server/domain/limits.ts';
import { pageCookie, type PageCookie } from '#server/handlers/page-cookies.ts';

/**
 * Returns the cookie that proves that the password of a link was given. Browsers send it even if another site leads
 * there.
 */
export function sharePassCookie(shareUrl: string): PageCookie {
  return pageCookie(shareUrl, 'cubby_share', { maxAgeSeconds: sharePassMs / 1000, comesWithLinks: true });
}
