import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { formWith } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Urls } from '#server/compose/given.ts';

/** A listening server, in this process or in another. */
export interface Listening {
  readonly urls: Urls;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: any;
}

export async function ask(
  url: string,
  { credential, ...init }: RequestInit & { readonly credential?: string } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    headers: { ...init.headers, ...(credential !== undefined && { Authorization: credential }) },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = bytes.length > 0 && response.headers.get('content-type')?.startsWith('application/json') === true;
  const { status, headers } = response;
  return { status, headers, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined };
}

export function uploadFile(
  { urls }: Listening,
  { credential }: TestAccount,
  name: string,
  bytes: Uint8Array,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(`${urls.base}/v1/objects?${new URLSearchParams({ name, ...query })}`, {
    method: 'POST',
    credential,
    body: formWith(bytes),
  });
}

export function deleteFiles({ urls }: Listening, { credential }: TestAccount, ids: readonly string[]): Promise<Answer> {
  const body = JSON.stringify(ids.length === 1 ? { object: ids[0] } : { objects: ids });
  return ask(`${urls.base}/v1/objects`, { method: 'DELETE', credential, body });
}

export function fetchFile({ urls }: Listening, id: string): Promise<Answer> {
  return ask(`${urls.public}/${id.replace(/^pub\//, '')}`);
}

/** An upload whose bytes the test sends step by step. */
export interface RawUpload {
  readonly socket: Socket;
  /** Offsets in the request at which its parts begin. */
  readonly at: { readonly partHead: number; readonly content: number; readonly closing: number; readonly end: number };
  /** Sends the unsent bytes before this offset. */
  sendUntil(offset: number): Promise<void>;
  /** Resolves with the status once the response begins, or with `undefined` if the connection ends without one. */
  status(): Promise<number | undefined>;
}

/** Connects without sending anything. */
export async function rawUpload(
  { urls }: Listening,
  { credential }: TestAccount,
  name: string,
  bytes: Uint8Array,
): Promise<RawUpload> {
  const { hostname, port, host } = new URL(urls.base);
  const boundary = '----------------------------faults';
  const partHead =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo.png"\r\nContent-Type: ` +
    `image/png\r\n\r\n`;
  const closing = `\r\n--${boundary}--\r\n`;
  const head = [
    `POST /v1/objects?name=${name} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${credential}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${partHead.length + bytes.length + closing.length}`,
    '\r\n',
  ].join('\r\n');
  const request = Buffer.concat([Buffer.from(head + partHead), bytes, Buffer.from(closing)]);
  const content = head.length + partHead.length;

  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {}); // a client that disconnects abruptly may get an error
  const status = Promise.withResolvers<number | undefined>();
  socket.on('data', (chunk) => status.resolve(Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(chunk.toString('latin1'))?.[1])));
  socket.once('close', () => status.resolve(undefined));
  let sent = 0;
  return {
    socket,
    at: { partHead: head.length, content, closing: content + bytes.length, end: request.length },
    sendUntil(offset) {
      const piece = request.subarray(sent, offset);
      sent = Math.max(sent, offset);
      return new Promise((resolve) => socket.write(piece, () => resolve()));
    },
    status: () => status.promise,
  };
}
