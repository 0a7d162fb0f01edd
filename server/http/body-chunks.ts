import type { IncomingMessage } from 'node:http';

import { readyForBody } from './continue.ts';

/** The client went away, or the connection broke, before the request's body was complete. */
export class BodyCutOff extends Error {
  override readonly name = 'BodyCutOff';
}

/** Whether a request has a body at all (RFC 9112 section 6.3); one of declared length 0 counts as none. */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || (declaredLength(req) ?? 0) > 0;
}

/** The `Content-Length` in bytes; `undefined` when the body is chunked. Node has refused what is no number. */
export function declaredLength(req: IncomingMessage): number | undefined {
  if (req.headers['transfer-encoding'] !== undefined) return undefined;
  const header = req.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

/** Whether the bytes of the body are the message itself, in no `Content-Encoding` such as gzip. */
export function isIdentityEncoded(req: IncomingMessage): boolean {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase();
  return encoding === undefined || encoding === '' || encoding === 'identity';
}

/** A sender may make a chunk of each byte. So small ones are read one by one only as long as they are few. */
const tinyBytes = 1024;
const maxTinyChunks = 16;

/**
 * The body of a request, chunk by chunk, read only as fast as it is asked for. The first `next()` sends the
 * `100 Continue` that a client may be waiting for.
 *
 * To stop early leaves request and socket open, so that an answer can still be sent: see `refuseRemainingBody()`.
 *
 * @throws {BodyCutOff} instead of a last chunk, when there is no whole body
 */
export async function* bodyChunks(req: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  readyForBody(req);
  let tinyChunks = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const isTiny = chunk.length < tinyBytes; // asked before whoever takes it gives its memory back
      yield chunk;
      // What comes meanwhile is read in one go, and others have their turn: Node hands over each chunk of the sender's
      // as it finds it.
      if (isTiny && ++tinyChunks > maxTinyChunks) await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (cause) {
    throw new BodyCutOff('The request ended before its body did', { cause });
  }
  if (!req.complete) throw new BodyCutOff('The request ended before its body did');
}

/**
 * The same for whoever has finished with a chunk on asking for the next one: its memory is given back then, and the
 * chunk is empty. Left to the garbage collector, 1 GB of chunks costs dozens of full collections, a third of the
 * processor time of taking it in, because memory outside the heap makes them due.
 *
 * @throws {BodyCutOff} instead of a last chunk, when there is no whole body
 */
export async function* fleetingChunks(req: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of bodyChunks(req)) {
    yield chunk;
    // A small chunk may lie in the pool that it shares with others.
    if (chunk.buffer instanceof ArrayBuffer && chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  }
}
