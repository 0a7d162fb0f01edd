import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import { BodyError } from './body-error.ts';
import { parsePairs, type RawQuery } from './query.ts';
import { readWhole, type BufferedBody } from './whole-body.ts';

const [PLUS, SPACE] = [0x2b, 0x20];

/** Whether the `Content-Type` is that of a form without files. */
export function isForm(req: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type']?.trim() ?? '');
}

/**
 * Reads a form (application/x-www-form-urlencoded): each field with all its values, in order. It merges and repairs
 * nothing. A value with broken percent-encoding becomes `malformedValue`, which no field accepts.
 *
 * @throws {BodyError} `too-large`, `encoded`, `cut-off`, `no-memory`, `not-a-form`. If the declared length is too
 *   large, it throws before a byte is read. The request stays open for a response.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
export async function readFormBody(
  req: IncomingMessage,
  { maxFields, ...body }: BufferedBody & { readonly maxFields: number },
): Promise<RawQuery> {
  const bytes = await readWhole(req, body);
  if (!isForm(req) || !isUtf8(bytes)) throw new BodyError('not-a-form');
  // A `+` is a space. Replacing them in a string takes a hundred times as long for a text of nothing else.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  // One more pair than allowed shows the excess without splitting the whole text.
  const pairs = bytes.toString().split('&', maxFields + 1);
  if (pairs.length > maxFields) throw new BodyError('not-a-form');
  return parsePairs(pairs);
}
