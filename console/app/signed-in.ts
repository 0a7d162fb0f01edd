/**
 * The name under which the browser keeps who has signed in. It is no secret: without it the page need not ask who is
 * signed in.
 */
export const signedInName = 'signed-in';

/** `lists` for an account's key that may list every folder, so that the page can do so before it knows the session. */
export type SignedInAs = 'operator' | 'account' | 'lists';

/** Returns the text that is kept. Each session has its own, so that other tabs see that it has changed. */
export function signedInText(as: SignedInAs, sessionId: string): string {
  return `${as} ${sessionId}`;
}

/** Returns the part of the text that says who has signed in. */
export function signedInAsOf(text: string | undefined): SignedInAs | undefined {
  return text?.split(' ')[0] as SignedInAs | undefined;
}
