import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { TestAccount } from '#test/support/server.ts';
import type { Listening } from './client.ts';

export interface GeneratedUpload {
  readonly name: string;
  readonly sizeBytes: number;
}

const boundary = '----------------------------generated';
const chunk = Buffer.alloc(65_536, 'Cubby generates these bytes while it sends them. ');

/** Uploads a file that is never whole in this process's memory, from one chunk again and again. Answers the status. */
export async function generatedUpload({ urls }: Listening, { credential }: TestAccount, { name, sizeBytes }: GeneratedUpload): Promise<number> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const closing = `\r\n--${boundary}--\r\n`;
  const outgoing = request(`${urls.base}/v1/objects?name=${name}`, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: credential,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': head.length + sizeBytes + closing.length,
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    outgoing.once('response', (incoming) => incoming.resume().once('end', () => resolve(incoming.statusCode!)));
    outgoing.once('error', reject);
  });
  function* body(): Generator<Buffer> {
    yield Buffer.from(head);
    for (let left = sizeBytes; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk;
    yield Buffer.from(closing);
  }
  await pipeline(Readable.from(body(), { objectMode: false }), outgoing);
  return status;
}
