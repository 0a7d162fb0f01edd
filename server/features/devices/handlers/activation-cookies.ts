import { sessionLifetimeMs } from '#server/domain/limits.ts';
import { pageCookie } from '#server/handlers/page-cookies.ts';

/** Returns the cookies of the approval page. */
export function activationCookies(activationUrl: string) {
  const asSession = { maxAgeSeconds: sessionLifetimeMs / 1000 };
  return {
    /** Holds the session of the person who is signed in. */
    session: pageCookie(activationUrl, 'cubby_session', asSession),
    /** Ties the sign-in form to the browser while there is no session. */
    form: pageCookie(activationUrl, 'cubby_form'),
    /** Holds the last decision for the page that shows it. */
    decision: pageCookie(activationUrl, 'cubby_decision', asSession),
  };
}
