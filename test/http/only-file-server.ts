import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect } from 'vitest';

import { refuseRemainingBody } from '#server/http/linger.ts';
import { MultipartError } from '#server/http/multipart-error.ts';
import { openMultipartFile, type MultipartFile } from '#server/http/multipart-only-file.ts';
import { liveServer } from './live-server.ts';

/** The server's view of one request. */
export interface Seen {
  file?: Omit<MultipartFile, 'content' | 'abandon'>;
  content?: string;
  /** The reason, and whether opening or the content reported it. */
  refused?: { reason: string; by: 'open' | 'content' };
}

/** Starts a server that reads one file and reports the result. Unexpected errors fail the test. */
export async function fileServer() {
  const seen: Seen[] = [];
  const live = await liveServer(async (req, res) => {
    const one: Seen = {};
    try {
      const { content, abandon, ...file } = await openMultipartFile(req, { fieldName: 'file' });
      one.file = file;
      try {
        one.content = await text(copied(content));
      } catch (error) {
        one.refused = { reason: reasonOf(error), by: 'content' };
      }
      abandon();
    } catch (error) {
      one.refused = { reason: reasonOf(error), by: 'open' };
    }
    seen.push(one);
    refuseRemainingBody(req, res, { maxMs: 200 });
    res.end(one.refused?.reason ?? 'ok');
  });
  return { ...live, seen };
}

/** Chunks that stay valid: those of a content are valid only until the next one is requested. */
async function* copied(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.from(chunk);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof MultipartError)) throw error;
  return error.reason;
}

export const TYPE = 'multipart/form-data; boundary=XX';
export const FILE_HEAD =
  '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
export const CLOSE = '\r\n--XX--\r\n';

/** Sends one body in the given pieces, with a Content-Length by default. Returns the server's view. */
export async function submit(
  body: string | Buffer | readonly (string | Buffer)[],
  {
    type = TYPE,
    chunked = false,
    headers = {},
  }: { type?: string; chunked?: boolean; headers?: Record<string, string> } = {},
): Promise<Seen> {
  const pieces = (Array.isArray(body) ? body : [body]).map((piece) => Buffer.from(piece));
  await using server = await fileServer();
  await new Promise<void>((resolve, reject) => {
    const length = chunked ? {} : { 'Content-Length': Buffer.concat(pieces).length };
    const req = request(server.url, { method: 'POST', headers: { 'Content-Type': type, ...length, ...headers } });
    req.on('error', reject).on('response', (res) => res.resume().on('end', resolve));
    for (const piece of pieces) req.write(piece);
    req.end();
  });
  expect(server.seen).toHaveLength(1);
  return server.seen[0]!;
}
