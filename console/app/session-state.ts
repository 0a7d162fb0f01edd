import { signal } from '@preact/signals';

import type { OperatorSession, Session } from '#dist/modules/client/index.js';

/** Who is signed in: an account at the API's door, an operator at the operator's. */
export type SignedIn = Session | OperatorSession;

/** Null while nobody is signed in. */
export const session = signal<SignedIn | null>(null);

/** Whether the server ended the session, so that the sign-in page says why it is there. */
export const hasExpired = signal(false);

export function csrfToken(): string | undefined {
  return session.value?.csrf_token ?? undefined;
}

/** Shows the sign-in page after a 401. */
export function endedByServer(): void {
  if (!session.value) return;
  hasExpired.value = true;
  session.value = null;
}

/**
 * Loads the page anew at its first screen. So nothing of the session stays in its memory, in what it shows or in its
 * address.
 */
export function startOver(): void {
  session.value = null;
  location.replace('/console');
}

/** Returns the session of an account. Screens of accounts call it, which exist only while one is signed in. */
export function accountSession(): Session {
  const current = session.value;
  if (!current || !('account' in current)) throw new Error('No account is signed in.');
  return current;
}

/** Returns whether the session has one of these scopes. An empty list needs none. */
export function hasScope(...scopes: readonly string[]): boolean {
  const current = session.value;
  if (!current) return false;
  if (!('scopes' in current)) return true;
  const granted: readonly string[] = current.scopes;
  return scopes.length === 0 || granted.includes('*') || scopes.some((scope) => granted.includes(scope));
}

/** Returns whether the session has all of these scopes. */
export function hasAllScopes(...scopes: readonly string[]): boolean {
  return scopes.every((scope) => hasScope(scope));
}
