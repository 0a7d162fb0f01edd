/**
 * The name under which the browser keeps who has signed in. It is no secret: without it the page need not ask who is
 * signed in.
 */
export const signedInName = 'signed-in';

/** `lists` for an account's key that may list every folder, so that the page can do so before it knows the session. */
export type SignedInAs = 'operator' | 'account' | 'lists';
