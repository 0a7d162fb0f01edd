import type { IncomingMessage } from 'node:http';

import { BodyCutOff, bodyChunks, declaredLength, isIdentityEncoded } from './body-chunks.ts';
import { JsonBodyError, type JsonLimits } from './json-body-error.ts';
import { jsonFault } from './json-fault.ts';
import { ownTurn } from './own-turn.ts';

/** Parsing and checking a longer body takes some milliseconds. */
const largeBytes = 65_536;

/**
 * Reads a request's body as JSON, whatever its `Content-Type` says. A byte order mark at its start is ignored, as
 * RFC 8259 section 8.1 permits. Of a key given twice the last value counts.
 *
 * A key `__proto__` becomes an ordinary own property, as JSON.parse defines it, and changes no prototype. It would if
 * it were assigned on: copy such objects with spread or Object.fromEntries, never with `target[key] = value`.
 *
 * @throws {JsonBodyError} before a byte is read if the declared length is too large; the request stays open for an
 *   answer
 */
export async function readJsonBody(req: IncomingMessage, limits: JsonLimits): Promise<unknown> {
  const bytes = await readWhole(req, limits.maxBytes);
  return parseJsonBody(bytes, limits);
}

/**
 * Parses the whole body of a request, as `readJsonBody()` does.
 *
 * @throws {JsonBodyError} `too-deep`, `too-many`, `empty`, `malformed`
 */
export async function parseJsonBody(bytes: Buffer, limits: Omit<JsonLimits, 'maxBytes'>): Promise<unknown> {
  if (bytes.length > largeBytes) await ownTurn();
  const excess = excessOf(bytes, limits);
  if (excess) throw new JsonBodyError(excess);
  const text = decodeUtf8(bytes);
  if (/^[ \t\r\n]*$/.test(text)) throw new JsonBodyError('empty');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = await jsonFault(bytes);
    throw new JsonBodyError('malformed', { cause, ...(detail !== undefined && { detail }) });
  }
}

/**
 * Reads a request's body as it was sent.
 *
 * @throws {JsonBodyError} before a byte is read if the declared length is too large; the request stays open for an
 *   answer
 */
export async function readWhole(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if ((declaredLength(req) ?? 0) > maxBytes) throw new JsonBodyError('too-large');
  if (!isIdentityEncoded(req)) throw new JsonBodyError('encoded');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of bodyChunks(req)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new JsonBodyError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new JsonBodyError('cut-off', { cause: error }) : error;
  }
  return Buffer.concat(chunks, sizeBytes);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new JsonBodyError('malformed', { cause, detail: 'the text is not UTF-8' });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts brackets outside of strings, in one pass that needs no stack, so that nothing deep ever reaches a parser or
 * a validator that recurses. It works on bytes: in UTF-8 these characters never occur inside of another.
 */
function excessOf(
  bytes: Buffer,
  { maxDepth, maxValues }: Omit<JsonLimits, 'maxBytes'>,
): 'too-deep' | 'too-many' | undefined {
  let depth = 0;
  // Each value but the first follows a comma or an opening bracket.
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
