import type { TestAccount, TestAnswer, TestServer } from './server.ts';

/** A file request of a test. */
export interface TestFileRequest {
  readonly id: string;
  /** Path on the files host. */
  readonly path: string;
  readonly url: string;
}

/** Asks for a file request. */
export function askForRequest(
  server: TestServer,
  { credential }: Pick<TestAccount, 'credential'>,
  body: unknown,
): Promise<TestAnswer> {
  return server.send('/v1/file-requests', { method: 'POST', credential, body: JSON.stringify(body) });
}

/** Creates a file request for the folder `inbox`. */
export async function createRequest(
  server: TestServer,
  account: TestAccount,
  body: Readonly<Record<string, unknown>> = {},
): Promise<TestFileRequest> {
  const answer = await askForRequest(server, account, { title: 'Photos of the party', prefix: 'inbox', ...body });
  const { id, url } = answer.json().response;
  return { id, url, path: new URL(url).pathname };
}

/** Changes a file request. */
export function changeRequest(
  server: TestServer,
  { credential }: Pick<TestAccount, 'credential'>,
  body: unknown,
  method = 'PATCH',
): Promise<TestAnswer> {
  return server.send('/v1/file-requests', { method, credential, body: JSON.stringify(body) });
}

/** Returns the file requests of an account. */
export async function listRequests(
  server: TestServer,
  { credential }: Pick<TestAccount, 'credential'>,
  query = '',
): Promise<any> {
  return (await server.send(`/v1/file-requests${query}`, { credential })).json().response;
}

/** Returns a request as its owner sees it. */
export async function requestNow(server: TestServer, account: TestAccount, { id }: Pick<TestFileRequest, 'id'>) {
  return (await listRequests(server, account, `?id=${id}`)).file_requests[0];
}

/** A file to send: its name and its bytes. */
export type SentPart = readonly [name: string, bytes: Uint8Array | string];

/** Returns the form of the page. */
export function requestForm(files: readonly SentPart[], sender?: string): FormData {
  const form = new FormData();
  if (sender !== undefined) form.append('sender', sender);
  for (const [name, bytes] of files) form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], name));
  return form;
}

/** Sends files to a request. */
export function sendFiles(
  server: TestServer,
  { path }: Pick<TestFileRequest, 'path'>,
  files: readonly SentPart[],
  {
    sender,
    headers = {},
    signal,
  }: {
    readonly sender?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<TestAnswer> {
  const body = requestForm(files, sender);
  return server.send(path, { door: 'files', method: 'POST', headers, body, ...(signal && { signal }) });
}

/** Returns the keys of the private files of an account. */
export async function keysOf(server: TestServer, { id, credential }: TestAccount): Promise<string[]> {
  const { objects } = (await server.send('/v1/objects?limit=1000', { credential })).json().response;
  const start = `prv/${id}/`;
  return objects.map((object: { id: string }) => object.id.replace(start, '')).toSorted();
}

/** Returns the cookies of an answer, as a browser sends them back. */
export function cookiesOf(answer: Pick<TestAnswer, 'headers'>): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}
