import type { IncomingMessage } from 'node:http';

import { nextTurn } from '#server/event-loop.ts';
import { readyForBody } from './continue.ts';

/** The client disconnected before the request's body was complete. */
export class BodyCutOff extends Error {
  override readonly name = 'BodyCutOff';
}

/** Whether a request has a body (RFC 9112 section 6.3). A declared length of 0 counts as none. */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || (contentLength(req) ?? 0) > 0;
}

/**
 * Returns the `Content-Length` in bytes, or `undefined` for a chunked body. Node has rejected headers that are not a
 * number.
 */
export function contentLength(req: IncomingMessage): number | undefined {
  if (req.headers['transfer-encoding'] !== undefined) return undefined;
  const header = req.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

/** Whether the body has no `Content-Encoding` such as gzip. */
export function isIdentityEncoded(req: IncomingMessage): boolean {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity';
}

/**
 * A body up to this size usually comes in one packet with the head. Node hands over the head before the body, so both
 * are there in the next turn of the event loop.
 */
const smallBytes = 65_536;

/** A sender may send each byte as a chunk. After some small chunks, further ones are read together. */
const tinyBytes = 1024;
const maxTinyChunks = 16;

/**
 * Reads the body of a request chunk by chunk, only as fast as its consumer. The first `next()` sends the `100 Continue`
 * that a client may be waiting for.
 *
 * A consumer that stops early leaves request and socket open, so that it can still respond: see
 * `refuseRemainingBody()`.
 *
 * @throws {BodyCutOff} instead of a last chunk, when the body is not complete
 */
export function bodyChunks(req: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  return chunksOf(req, () => {});
}

/**
 * Like `bodyChunks()`, but releases the memory of each chunk when the next one is requested. The chunk is empty then.
 * Without this, 1 GB of chunks causes dozens of full garbage collections, because memory outside the heap triggers
 * them. They cost a third of the CPU time of receiving.
 *
 * @throws {BodyCutOff} instead of a last chunk, when the body is not complete
 */
export function fleetingChunks(req: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  return chunksOf(req, releaseMemory);
}

async function* chunksOf(
  req: IncomingMessage,
  release: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, void, undefined> {
  readyForBody(req);
  if ((contentLength(req) ?? Infinity) <= smallBytes) await nextTurn();
  if (req.complete && !req.destroyed) {
    // Nothing is left to wait for, so this needs none of the listeners below.
    const whole = req.read() as Buffer | null;
    if (whole !== null) yield whole;
    return;
  }
  let tinyChunks = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      // Read before `yield`, because the consumer may release the chunk's memory.
      const isTiny = chunk.length < tinyBytes;
      yield chunk;
      release(chunk);
      // Node delivers each chunk as the sender made it. During this pause several of them collect, and other requests
      // are served.
      if (isTiny && ++tinyChunks > maxTinyChunks) await nextTurn();
    }
  } catch (cause) {
    throw new BodyCutOff('The request ended before its body did', { cause });
  }
  if (!req.complete) throw new BodyCutOff('The request ended before its body did');
}

/** Frees the memory of a chunk, which is empty then. Otherwise it waits for the garbage collector. */
export function releaseMemory(chunk: Buffer): void {
  // A small chunk may share its buffer with others.
  if (chunk.buffer instanceof ArrayBuffer && chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
}
