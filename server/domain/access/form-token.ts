import type { Secrets } from '../ports/secrets.ts';

const purpose = 'form';

/** The browser and the form that a token is bound to. */
export interface FormOwner {
  /** A cookie of the browser that shows the form. No other site can read or send it. */
  readonly cookie: string;
  /** The name of the form, with the user code or client that it is for. */
  readonly form: string;
}

function textOf({ cookie, form }: FormOwner): string {
  return JSON.stringify([cookie, form]);
}

/** Makes the hidden token of a form, so that no other site can submit it. */
export function formTokenFor(secrets: Pick<Secrets, 'sign'>, owner: FormOwner): string {
  return secrets.sign(purpose, textOf(owner));
}

/** Whether a token was made for this form and browser. */
export function isFormTokenOf(secrets: Pick<Secrets, 'verify'>, owner: FormOwner, token: string): boolean {
  return secrets.verify(purpose, textOf(owner), token);
}
