import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { expect } from 'vitest';
import { eventually } from '#test/support/eventually.ts';

export interface SlowUpload {
  readonly request: ClientRequest;
  /** Resolves when the server is writing the file. */
  readonly begun: Promise<void>;
  /** Sends the second half of the file. */
  finish(): void;
  readonly answer: Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly json: any }>;
}

export interface SlowUploadOptions {
  readonly baseUrl: string;
  readonly credential: string;
  /** The folder in which the server keeps its files. */
  readonly dataDir: string;
  readonly name: string;
  /** Must be more than the server keeps inline in its database, so that it writes a blob. */
  readonly bytes: Buffer;
}

/** Starts an upload that pauses in the middle of its file until `finish()`. A server can have only one at a time. */
export function slowUpload({ baseUrl, credential, dataDir, name, bytes }: SlowUploadOptions): SlowUpload {
  const [head, tail] = [
    `--slow\r\nContent-Disposition: form-data; name="file"; filename="${name}.png"\r\n\r\n`,
    '\r\n--slow--\r\n',
  ];
  const half = Math.floor(bytes.length / 2);
  const sent = request(`${baseUrl}/v1/objects?name=${name}`, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: credential,
      'Content-Type': 'multipart/form-data; boundary=slow',
      'Content-Length': head.length + bytes.length + tail.length,
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const answer = answered.then(async ([response]) => ({
    status: response.statusCode!,
    headers: response.headers,
    json: await json(response),
  }));
  answer.catch(() => {});
  sent.write(head);
  sent.write(bytes.subarray(0, half));
  const files = () => readdirSync(join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' });
  return {
    request: sent,
    begun: eventually(() => expect(files().some((file) => file.endsWith('.tmp'))).toBe(true)),
    finish: () => {
      sent.write(bytes.subarray(half));
      sent.end(tail);
    },
    answer,
  };
}
