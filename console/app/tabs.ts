import { kept, keep } from './kept.ts';
import { session, startOver } from './session-state.ts';

/**
 * The id of the session of this browser, which is no secret. Without it the page need not ask who is signed in. All tabs
 * share the cookie, and learn from this that another one has changed it.
 */
const hint = 'signed-in';

/** What this page knows. It stays undefined if the browser keeps nothing. */
let known: string | undefined;

/** Returns whether somebody has signed in with this browser. */
export function hasSignedIn(): boolean {
  return kept(hint) !== undefined;
}

/** Tells the other tabs who is signed in. */
export function tellTabs(sessionId: string | null): void {
  keep(hint, sessionId ?? undefined);
  known = kept(hint);
}

/** Follows a sign-in or a sign-out in another tab, also one that happened while the browser had put this page aside. */
export function watchTabs(): void {
  known = kept(hint);
  const compare = () => {
    const now = kept(hint);
    if (now === known) return;
    known = now;
    if (session.peek()) startOver();
    else if (now !== undefined) location.reload();
  };
  addEventListener('storage', compare);
  addEventListener('pageshow', compare);
}
