import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { someBytes } from '#test/support/files.ts';

const piece = someBytes(262_144);

function* pieces(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= piece.length)
    yield left < piece.length ? piece.subarray(0, left) : piece;
}

export interface BytesRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeBytes: number;
  readonly agent: Agent;
  /** Whether the bytes are sent as the file of a form. */
  readonly isForm?: boolean;
}

const boundary = 'bench-boundary';
const formHead = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file.png"\r\nContent-Type: ` +
    `image/png\r\n\r\n`,
);
const formEnd = Buffer.from(`\r\n--${boundary}--\r\n`);

function* formPieces(sizeBytes: number): Generator<Buffer> {
  yield formHead;
  yield* pieces(sizeBytes);
  yield formEnd;
}

export interface BytesAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends this many bytes from memory, the same way to every server, and waits for the response. */
export async function streamBytes({
  url,
  method,
  headers,
  sizeBytes,
  agent,
  isForm = false,
}: BytesRequest): Promise<BytesAnswer> {
  const form = isForm && {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': formHead.length + sizeBytes + formEnd.length,
  };
  const outgoing = request(url, { method, agent, headers: { ...headers, 'Content-Length': sizeBytes, ...form } });
  const answer = new Promise<BytesAnswer>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (more: string) => (text += more));
      incoming
        .once('error', reject)
        .once('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
    });
  });
  if (sizeBytes === 0) outgoing.end();
  else
    await pipeline(Readable.from(isForm ? formPieces(sizeBytes) : pieces(sizeBytes), { objectMode: false }), outgoing);
  return answer;
}
