import { cookiesOf, type TestFileRequest } from './file-requests.ts';
import type { TestAnswer, TestServer } from './server.ts';

/** An upload of a test to a file request. */
export interface TestSentUpload {
  /** Path on the files host. */
  readonly path: string;
  readonly cookie: string;
}

interface SentHow {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Announces a file to a request. */
export function announce(
  server: TestServer,
  { path }: Pick<TestFileRequest, 'path'>,
  body: unknown,
  { cookie, headers = {} }: SentHow = {},
): Promise<TestAnswer> {
  return server.send(`${path}/uploads`, {
    door: 'files',
    method: 'POST',
    headers: { ...(cookie !== undefined && { Cookie: cookie }), ...headers },
    body: JSON.stringify(body),
  });
}

/** Announces a file, and returns where its bytes go. */
export async function openedUpload(
  server: TestServer,
  request: Pick<TestFileRequest, 'path'>,
  body: Readonly<Record<string, unknown>>,
  how: SentHow = {},
): Promise<TestSentUpload> {
  const answer = await announce(server, request, { name: 'a.bin', ...body }, how);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body.toString()}`);
  return { path: new URL(answer.headers.get('location')!).pathname, cookie: cookiesOf(answer) };
}

/** Sends bytes of a file. */
export function sendBytes(
  server: TestServer,
  { path, cookie }: TestSentUpload,
  offset: number,
  bytes: Uint8Array | string | ReadableStream,
  { headers = {}, signal }: SentHow = {},
): Promise<TestAnswer> {
  return server.send(path, {
    door: 'files',
    method: 'PATCH',
    headers: {
      Cookie: cookie,
      'Content-Type': 'application/partial-upload',
      'Upload-Offset': String(offset),
      ...headers,
    },
    body: bytes as Uint8Array<ArrayBuffer>,
    ...(signal && { signal }),
  });
}

/** Asks for the offset of a file, or gives it up. */
export function askUpload(
  server: TestServer,
  { path, cookie }: TestSentUpload,
  method: 'GET' | 'HEAD' | 'DELETE' = 'GET',
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return server.send(path, { door: 'files', method, headers: { Cookie: cookie, ...headers } });
}
