import type { IncomingMessage } from 'node:http';

import { BodyCutOff, bodyChunks, contentLength, isIdentityEncoded } from './body-chunks.ts';
import { BodyError } from './body-error.ts';

/**
 * Reads a request's body as it was sent, into memory.
 *
 * @throws {BodyError} `too-large`, `encoded`, `cut-off`. If the declared length is too large, it throws before a byte
 *   is read. The request stays open for a response.
 */
export async function readWhole(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if ((contentLength(req) ?? 0) > maxBytes) throw new BodyError('too-large');
  if (!isIdentityEncoded(req)) throw new BodyError('encoded');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of bodyChunks(req)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new BodyError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new BodyError('cut-off', { cause: error }) : error;
  }
  return Buffer.concat(chunks, sizeBytes);
}
