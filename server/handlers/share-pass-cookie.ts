import { sharePassMs } from '#server/domain/limits.ts';
import { formatCookie } from '#server/http/cookies.ts';
import type { Call } from './call.ts';

const name = 'cubby_share';

/**
 * The cookie of one link that shows that its password was given; the browser sends it to that link alone, also when the
 * link is followed from another site.
 *
 * @param url the address of the link, as clients see it
 */
export function sharePassCookie(url: string): {
  passOf(call: Pick<Call, 'browser'>): string | undefined;
  set(pass: string): string;
} {
  const { pathname, protocol } = new URL(url);
  return {
    passOf: ({ browser }) => browser.cookies.get(name),
    set: (value) =>
      formatCookie({
        name,
        value,
        path: pathname,
        isSecure: protocol === 'https:',
        maxAgeSeconds: sharePassMs / 1000,
        comesWithLinks: true,
      }),
  };
}
