import type { Secrets } from '../ports/secrets.ts';

const purpose = 'form';

/** To what a form belongs. */
export interface FormOwner {
  /** A cookie of the browser that is shown the form, which no other site can read or send. */
  readonly cookie: string;
  /** Which form it is, and about what. */
  readonly form: string;
}

function textOf({ cookie, form }: FormOwner): string {
  return JSON.stringify([cookie, form]);
}

/** What a form brings back, so that no other site can fill it in. */
export function formTokenFor(secrets: Pick<Secrets, 'sign'>, owner: FormOwner): string {
  return secrets.sign(purpose, textOf(owner));
}

/** Whether a form came back to its owner. */
export function isFormTokenOf(secrets: Pick<Secrets, 'verify'>, owner: FormOwner, token: string): boolean {
  return secrets.verify(purpose, textOf(owner), token);
}
