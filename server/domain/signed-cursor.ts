import type { Secrets } from './ports/secrets.ts';
import { Refusal } from './refusal.ts';

/** The list that a cursor belongs to: its account and its filters. In another list the cursor is not valid. */
type Binding = readonly unknown[];

function signedText(position: string, binding: Binding): string {
  return JSON.stringify([position, ...binding]);
}

/**
 * Returns a cursor: a position, and a signature over it and its list.
 *
 * @param purpose keeps the signatures of different kinds of lists apart
 * @param position has no dot
 */
export function signCursor(
  secrets: Pick<Secrets, 'sign'>,
  purpose: string,
  position: string,
  binding: Binding,
): string {
  return `${position}.${secrets.sign(purpose, signedText(position, binding))}`;
}

/**
 * Returns the position of a cursor, by the groups of its form.
 *
 * @throws INVALID_CONTINUATION_TOKEN for any text that was not made for this list
 */
export function verifyCursor(
  secrets: Pick<Secrets, 'verify'>,
  purpose: string,
  cursor: string,
  { form, binding }: { readonly form: RegExp; readonly binding: Binding },
): RegExpExecArray {
  const [, position = '', signature = ''] = /^([^.]*)\.([\w-]+)$/.exec(cursor) ?? [];
  const parts = form.exec(position);
  if (!parts || !secrets.verify(purpose, signedText(position, binding), signature))
    throw new Refusal('INVALID_CONTINUATION_TOKEN');
  return parts;
}
