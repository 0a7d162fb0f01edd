import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import { BodyError } from './body-error.ts';
import { jsonFault } from './json-fault.ts';
import { bodyTurn } from './body-turn.ts';
import type { JsonLimits } from './pick-json.ts';
import { readWhole, type BufferedBody } from './whole-body.ts';

/** Parsing and checking a longer body takes some milliseconds. */
const largeBytes = 65_536;

/**
 * Reads a request's body as JSON, whatever its `Content-Type` says. A byte order mark at its start is ignored, as
 * RFC 8259 section 8.1 permits. If a key appears twice, the last value wins.
 *
 * A key `__proto__` becomes an ordinary own property, as JSON.parse defines it, and changes no prototype. An assignment
 * would change it: copy such objects with spread or Object.fromEntries, never with `target[key] = value`.
 *
 * @throws {BodyError} any reason except `not-a-form`. If the declared length is too large, it throws before a byte is
 *   read. The request stays open for a response.
 */
export async function readJsonBody(
  req: IncomingMessage,
  { maxBytes, hold, ...limits }: JsonLimits & BufferedBody,
): Promise<unknown> {
  const bytes = await readWhole(req, { maxBytes, hold });
  if (bytes.length > largeBytes) await bodyTurn();
  const excess = excessOf(bytes, limits);
  if (excess) throw new BodyError(excess);
  if (!isUtf8(bytes)) throw new BodyError('malformed', { detail: 'the text is not UTF-8' });
  const text = bytes.toString().replace(/^\ufeff/, '');
  if (/^[ \t\r\n]*$/.test(text)) throw new BodyError('empty');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BodyError('malformed', { cause, detail: await jsonFault(bytes) });
  }
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts brackets outside of strings, in one pass without a stack. So nothing deep reaches a parser or a validator that
 * recurses. It works on bytes, because in UTF-8 these characters never occur inside another one.
 */
function excessOf(bytes: Buffer, { maxDepth, maxValues }: JsonLimits): 'too-deep' | 'too-many' | undefined {
  let depth = 0;
  // Each value except the first follows a comma or an opening bracket.
  let values = 1;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'too-deep';
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
    if (values > maxValues) return 'too-many';
  }
  return undefined;
}
