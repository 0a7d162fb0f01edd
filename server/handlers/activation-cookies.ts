import { sessionLifetimeMs } from '#server/domain/limits.ts';
import { formatCookie } from '#server/http/cookies.ts';
import type { Call } from './call.ts';

/** Holds the session of whoever is signed in. */
const session = 'cubby_session';

/** Ties the form of the sign-in to the browser, where there is no session yet. */
const form = 'cubby_form';

/** Holds what was decided last, for the page that says so. */
const decision = 'cubby_decision';

/** The cookies of the approval page, which are sent to it alone. */
export interface ActivationCookies {
  sessionOf(call: Pick<Call, 'browser'>): string | undefined;
  formOf(call: Pick<Call, 'browser'>): string | undefined;
  decisionOf(call: Pick<Call, 'browser'>): string | undefined;
  /** `Set-Cookie` for each of them. */
  setSession(value: string): string;
  takeBackSession(): string;
  setForm(value: string): string;
  setDecision(value: string): string;
}

/** @param activationUrl the address of the approval page, as clients see it */
export function activationCookies(activationUrl: string): ActivationCookies {
  const { pathname, protocol } = new URL(activationUrl);
  const common = { path: pathname, isSecure: protocol === 'https:' };
  return {
    sessionOf: ({ browser }) => browser.cookies.get(session),
    formOf: ({ browser }) => browser.cookies.get(form),
    decisionOf: ({ browser }) => browser.cookies.get(decision),
    setSession: (value) => formatCookie({ ...common, name: session, value, maxAgeSeconds: sessionLifetimeMs / 1000 }),
    takeBackSession: () => formatCookie({ ...common, name: session, value: '', maxAgeSeconds: 0 }),
    setForm: (value) => formatCookie({ ...common, name: form, value }),
    setDecision: (value) => formatCookie({ ...common, name: decision, value, maxAgeSeconds: sessionLifetimeMs / 1000 }),
  };
}
