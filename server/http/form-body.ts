import type { IncomingMessage } from 'node:http';

import { BodyCutOff, bodyChunks, declaredLength, isIdentityEncoded } from './body-chunks.ts';
import { decodeFormText, type RawQuery } from './query.ts';

/**
 * What is wrong with a form:
 * - `too-large`: more than `maxBytes`, declared or sent
 * - `malformed`: another media type, more than `maxFields` fields, no UTF-8, or compressed
 * - `cut-off`: the client went away before the body was complete
 */
export type FormBodyFault = 'too-large' | 'malformed' | 'cut-off';

const plus = 0x2b;
const space = 0x20;

/** A request's body is no form that is accepted; `reason` says why. */
export class FormBodyError extends Error {
  override readonly name = 'FormBodyError';
  readonly reason: FormBodyFault;

  constructor(reason: FormBodyFault, options?: ErrorOptions) {
    super(`form refused: ${reason}`, options);
    this.reason = reason;
  }
}

/** Whether the body says that it is a form of plain fields. */
export function isForm(req: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type']?.trim() ?? '');
}

/**
 * Reads a form (application/x-www-form-urlencoded): each field with all its values, in order. Nothing is merged or
 * repaired; a value of broken percent-encoding becomes one that no field takes.
 *
 * @throws {FormBodyError} before a byte is read if the declared length is too large; the request stays open for an
 *   answer
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
export async function readFormBody(
  req: IncomingMessage,
  limits: { readonly maxBytes: number; readonly maxFields: number },
): Promise<RawQuery> {
  if ((declaredLength(req) ?? 0) > limits.maxBytes) throw new FormBodyError('too-large');
  if (!isForm(req) || !isIdentityEncoded(req)) throw new FormBodyError('malformed');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of bodyChunks(req)) {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.maxBytes) throw new FormBodyError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new FormBodyError('cut-off', { cause: error }) : error;
  }
  return parseForm(decodeUtf8(withoutPluses(Buffer.concat(chunks, sizeBytes))), limits.maxFields);
}

/** `+` is a space. Replaced in the bytes: in a text of nothing else it takes a hundred times as long. */
function withoutPluses(bytes: Buffer): Buffer {
  const spaced = Buffer.from(bytes);
  for (let at = 0; at < spaced.length; at++) if (spaced[at] === plus) spaced[at] = space;
  return spaced;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FormBodyError('malformed', { cause });
  }
}

function parseForm(text: string, maxFields: number): RawQuery {
  // One more than fits tells that there are too many, without cutting up all of them.
  const pairs = text.split('&', maxFields + 1);
  if (pairs.length > maxFields) throw new FormBodyError('malformed');
  const form = new Map<string, string[]>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeFormText(pair.slice(equals + 1));
    const values = form.get(name);
    if (values) values.push(value);
    else form.set(name, [value]);
  }
  return form;
}
