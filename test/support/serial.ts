import type { TestAccount, TestAnswer, TestRequest, TestServer } from './server.ts';

type Credential = Pick<TestAccount, 'credential'>;

type Headers = Readonly<Record<string, string>>;

type Bytes = NonNullable<TestRequest['body']> | Uint8Array;

/** Short forms of the requests of tus and of the IETF draft. */
export interface SerialUploads {
  /** The creation of tus, of a file named `big` by default. */
  create(account: Credential, headers?: Headers, query?: Headers, body?: Bytes): Promise<TestAnswer>;
  /** Creates an upload of so many bytes and returns its address. */
  open(account: Credential, sizeBytes: number, headers?: Headers, query?: Headers): Promise<string>;
  append(account: Credential, address: string, offset: number, body: Bytes, headers?: Headers): Promise<TestAnswer>;
  head(account: Credential, address: string, headers?: Headers): Promise<TestAnswer>;
  /** `GET` of the same, whose errors have a body. */
  state(account: Credential, address: string, headers?: Headers): Promise<TestAnswer>;
  end(account: Credential, address: string, headers?: Headers): Promise<TestAnswer>;
  /** The creation of the draft. */
  draft(account: Credential, headers: Headers, query?: Headers, body?: Bytes): Promise<TestAnswer>;
  draftAppend(
    account: Credential,
    address: string,
    offset: number,
    body: Bytes,
    complete?: string,
  ): Promise<TestAnswer>;
}

export const tus = { 'Tus-Resumable': '1.0.0' };
export const tusBytes = { 'Content-Type': 'application/offset+octet-stream' };
export const draft = { 'Upload-Draft-Interop-Version': '8' };

/** Formats the metadata of tus. */
export function metadataOf(fields: Readonly<Record<string, string>>): { 'Upload-Metadata': string } {
  const pairs = Object.entries(fields).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
  return { 'Upload-Metadata': pairs.join(',') };
}

/** Returns the part of an address that is the `upload` string of chunked uploads. */
export const handleOf = (address: string): string => address.slice('/v1/uploads/'.length);

/** Returns the requests for one server. */
export function serialUploads(server: () => Pick<TestServer, 'send'>): SerialUploads {
  const send = (path: string, method: string, { credential }: Credential, headers: Headers, body?: Bytes) =>
    server().send(path, {
      method,
      credential,
      headers,
      ...(body !== undefined && { body: body as NonNullable<TestRequest['body']> }),
    });
  const start = (query: Headers) => `/v1/uploads?${new URLSearchParams(query)}`;
  const create: SerialUploads['create'] = (account, headers = {}, query = { name: 'big' }, body) =>
    send(start(query), 'POST', account, { ...tus, ...headers }, body);
  return {
    create,
    async open(account, sizeBytes, headers, query) {
      const answer = await create(account, { 'Upload-Length': String(sizeBytes), ...headers }, query);
      if (answer.status !== 201) throw new Error(`No upload was opened: ${answer.status} ${answer.body}`);
      return answer.headers.get('location')!;
    },
    append: (account, address, offset, body, headers = {}) =>
      send(address, 'PATCH', account, { ...tus, ...tusBytes, 'Upload-Offset': String(offset), ...headers }, body),
    head: (account, address, headers = tus) => send(address, 'HEAD', account, headers),
    state: (account, address, headers = tus) => send(address, 'GET', account, headers),
    end: (account, address, headers = tus) => send(address, 'DELETE', account, headers),
    draft: (account, headers, query = { name: 'big' }, body) =>
      send(start(query), 'POST', account, { ...draft, ...headers }, body),
    draftAppend: (account, address, offset, body, complete = '?1') =>
      send(
        address,
        'PATCH',
        account,
        {
          ...draft,
          'Content-Type': 'application/partial-upload',
          'Upload-Offset': String(offset),
          'Upload-Complete': complete,
        },
        body,
      ),
  };
}
