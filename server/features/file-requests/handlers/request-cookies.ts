import { sharePassMs } from '#server/domain/limits.ts';
import { senderKnownMs } from '../limits.ts';
import { pageCookie } from '#server/handlers/page-cookies.ts';

/** Returns the cookies of the page of a file request. Browsers send them to that page and to what is below it. */
export function requestCookies(requestUrl: string) {
  return {
    /** Proves that the password was given. */
    pass: pageCookie(requestUrl, 'cubby_request', { maxAgeSeconds: sharePassMs / 1000, comesWithLinks: true }),
    /** Names the sender. */
    sender: pageCookie(requestUrl, 'cubby_sender', { maxAgeSeconds: senderKnownMs / 1000, comesWithLinks: true }),
  };
}
