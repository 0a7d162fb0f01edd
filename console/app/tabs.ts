import { kept, keep } from './kept.ts';
import { session, startOver } from './session-state.ts';
import { signedInName } from './signed-in.ts';

/** What this page knows. It stays undefined if the browser keeps nothing. */
let known: string | undefined;

/** Returns whether somebody has signed in with this browser. */
export function hasSignedIn(): boolean {
  return kept(signedInName) !== undefined;
}

/**
 * Tells the other tabs who is signed in. All of them share the cookie, and learn from this that another one has changed
 * it.
 */
export function tellTabs(signedIn: string | null): void {
  keep(signedInName, signedIn ?? undefined);
  known = kept(signedInName);
}

/** Follows a sign-in or a sign-out in another tab, also one that happened while the browser had put this page aside. */
export function watchTabs(): void {
  known = kept(signedInName);
  const compare = () => {
    const now = kept(signedInName);
    if (now === known) return;
    known = now;
    if (session.peek()) startOver();
    else if (now !== undefined) location.reload();
  };
  addEventListener('storage', compare);
  addEventListener('pageshow', compare);
}
