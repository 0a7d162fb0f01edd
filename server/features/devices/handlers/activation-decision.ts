import { formTokenFor, isFormTokenOf, type FormOwner } from '#server/domain/access/form-token.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';

/** A person's decision about a client's request. */
export interface Decision {
  readonly done: 'approved' | 'refused';
  readonly clientName: string;
}

/**
 * Formats a decision for the cookie of the page that shows it. It is signed for its session, so nobody can lead a
 * person to a page about a decision that was never made.
 */
export function sealDecision(secrets: Pick<Secrets, 'sign'>, session: string, decision: Decision): string {
  const name = Buffer.from(decision.clientName).toString('base64url');
  return `${name}.${formTokenFor(secrets, ownerOf(session, decision))}`;
}

/** Reads the decision from the cookie. Undefined if it is of another session, or is not `done`. */
export function openDecision(
  secrets: Pick<Secrets, 'verify'>,
  session: string,
  done: Decision['done'],
  cookie: string,
): Decision | undefined {
  const dot = cookie.indexOf('.');
  const decision = { done, clientName: Buffer.from(cookie.slice(0, dot), 'base64url').toString() };
  return isFormTokenOf(secrets, ownerOf(session, decision), cookie.slice(dot + 1)) ? decision : undefined;
}

function ownerOf(session: string, { done, clientName }: Decision): FormOwner {
  return { cookie: session, form: `${done} ${clientName}` };
}
