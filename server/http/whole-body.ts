import type { IncomingMessage } from 'node:http';

import { BodyCutOff, bodyChunks, contentLength, isIdentityEncoded } from './body-chunks.ts';
import { BodyError } from './body-error.ts';
import type { BodyHold } from './body-memory.ts';
import { watchPace } from './body-pace.ts';

/** The limit of a body, and the account of the bytes that it holds. */
export interface BufferedBody {
  readonly maxBytes: number;
  readonly hold: BodyHold;
}

/**
 * Reads a request's body as it was sent, into memory. The bytes stay in `hold` until it is released.
 *
 * @throws {BodyError} `too-large`, `encoded`, `cut-off`, `no-memory`. If the declared length is too large, it throws
 *   before a byte is read. The request stays open for a response.
 */
export async function readWhole(req: IncomingMessage, { maxBytes, hold }: BufferedBody): Promise<Buffer> {
  if ((contentLength(req) ?? 0) > maxBytes) throw new BodyError('too-large');
  if (!isIdentityEncoded(req)) throw new BodyError('encoded');
  const gathered = new GatheredBytes(hold);
  const endWatch = watchPace(req, hold.slowest);
  try {
    for await (const chunk of bodyChunks(req)) {
      if (gathered.sizeBytes + chunk.length > maxBytes) throw new BodyError('too-large');
      gathered.add(chunk);
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new BodyError('cut-off', { cause: error }) : error;
  } finally {
    endWatch();
  }
  hold.complete();
  return gathered.bytes;
}

/** The first size of a buffer for several chunks. */
const firstBytes = 4096;

/**
 * Bytes that arrive in pieces. They are copied into one buffer that grows, because a list of tiny pieces would take a
 * hundred times their size.
 */
export class GatheredBytes {
  sizeBytes = 0;
  readonly #hold: BodyHold;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(hold: BodyHold) {
    this.#hold = hold;
  }

  /** Adds a copy, except of the first piece. @throws {BodyError} `no-memory` */
  add(piece: Buffer): void {
    const sizeBytes = this.sizeBytes + piece.length;
    if (this.sizeBytes === 0) {
      this.#hold.take(piece.length);
      this.#buffer = piece;
    } else {
      if (sizeBytes > this.#buffer.length) this.#grow(Math.max(sizeBytes, 2 * this.#buffer.length, firstBytes));
      piece.copy(this.#buffer, this.sizeBytes);
    }
    this.sizeBytes = sizeBytes;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.sizeBytes);
  }

  #grow(toBytes: number): void {
    this.#hold.take(toBytes - this.#buffer.length);
    const larger = Buffer.allocUnsafeSlow(toBytes);
    this.#buffer.copy(larger, 0, 0, this.sizeBytes);
    this.#buffer = larger;
  }
}
