import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { expect, vi } from 'vitest';

export interface SlowUpload {
  readonly request: ClientRequest;
  /** The server is writing the file. */
  readonly begun: Promise<void>;
  /** Sends the other half. */
  finish(): void;
  readonly answer: Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly json: any }>;
}

export interface SlowUploadOptions {
  readonly baseUrl: string;
  readonly credential: string;
  /** Where the server keeps its files. */
  readonly dataDir: string;
  readonly name: string;
  /** More than the server keeps in its database. */
  readonly bytes: Buffer;
}

/** An upload that stands still in the middle of its file until it is told to go on; one at a time. */
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
    begun: vi.waitFor(() => expect(files().some((file) => file.endsWith('.tmp'))).toBe(true), {
      timeout: 10_000,
      interval: 10,
    }),
    finish: () => {
      sent.write(bytes.subarray(half));
      sent.end(tail);
    },
    answer,
  };
}
