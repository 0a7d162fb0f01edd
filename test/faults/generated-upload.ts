import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { TestAccount } from '#test/support/server.ts';
import type { Listening } from './client.ts';

export interface GeneratedUpload {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface GeneratedPart {
  /** The `upload` string. */
  readonly upload: string;
  readonly part: number;
  readonly sizeBytes: number;
}

const boundary = '----------------------------generated';
const chunk = Buffer.alloc(65_536, 'Cubby generates these bytes while it sends them. ');

/** Uploads a file that this process never holds completely, by sending one chunk repeatedly. Returns the status. */
export async function generatedUpload(
  { urls }: Listening,
  account: TestAccount,
  { name, sizeBytes }: GeneratedUpload,
): Promise<number> {
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.bin"\r\nContent-Type: ` +
    `application/octet-stream\r\n\r\n`;
  const closing = `\r\n--${boundary}--\r\n`;
  return send(`${urls.base}/v1/objects?name=${name}`, 'POST', account, {
    type: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + sizeBytes + closing.length,
    bytes: (function* () {
      yield Buffer.from(head);
      yield* generated(sizeBytes);
      yield Buffer.from(closing);
    })(),
  });
}

/** The same for one part of a chunked upload. */
export async function generatedPart(
  { urls }: Listening,
  account: TestAccount,
  { upload, part, sizeBytes }: GeneratedPart,
): Promise<number> {
  return send(`${urls.base}/v1/objects/chunked?upload=${upload}&part=${part}`, 'PUT', account, {
    type: 'application/octet-stream',
    sizeBytes,
    bytes: generated(sizeBytes),
  });
}

function* generated(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= chunk.length)
    yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

interface Body {
  readonly type: string;
  readonly sizeBytes: number;
  readonly bytes: Iterable<Buffer>;
}

async function send(
  url: string,
  method: string,
  { credential }: TestAccount,
  { type, sizeBytes, bytes }: Body,
): Promise<number> {
  const outgoing = request(url, {
    method,
    agent: false,
    headers: { Authorization: credential, 'Content-Type': type, 'Content-Length': sizeBytes },
  });
  const status = new Promise<number>((resolve, reject) => {
    outgoing.once('response', (incoming) => incoming.resume().once('end', () => resolve(incoming.statusCode!)));
    outgoing.once('error', reject);
  });
  await pipeline(Readable.from(bytes, { objectMode: false }), outgoing);
  return status;
}
