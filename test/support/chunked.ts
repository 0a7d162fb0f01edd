import type { TestAccount, TestAnswer, TestServer } from './server.ts';

/** 5 MiB, the smallest size of a part that is not the last. */
export const partBytes = 5_242_880;

type Credential = Pick<TestAccount, 'credential'>;

/** Short forms of the requests of a chunked upload. */
export interface Chunking {
  start(account: Credential, query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /** Starts an upload and returns its `upload` string. */
  open(account: Credential, query?: Readonly<Record<string, string>>): Promise<string>;
  put(
    account: Credential,
    upload: string,
    part: number,
    bytes: Uint8Array,
    query?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>;
  complete(account: Credential, upload: string, more?: object): Promise<TestAnswer>;
  abort(account: Credential, upload: string): Promise<TestAnswer>;
  status(account: Credential, upload: string): Promise<TestAnswer>;
  list(account: Credential): Promise<TestAnswer>;
}

const path = '/v1/objects/chunked';

/** Returns the requests for one server. By default the file has the name `big` and the extension `.bin`. */
export function chunking(server: () => Pick<TestServer, 'send'>): Chunking {
  const start: Chunking['start'] = ({ credential }, query = {}) =>
    server().send(`${path}?${new URLSearchParams({ name: 'big', ...query })}`, { method: 'POST', credential });
  const withBody = (method: string, credential: string, body: object) =>
    server().send(path, { method, credential, body: JSON.stringify(body) });
  return {
    start,
    open: async (account, query) => {
      const answer = await start(account, query);
      if (answer.status !== 200) throw new Error(`No upload was opened: ${answer.body}`);
      return answer.json().response.upload;
    },
    put: ({ credential }, upload, part, bytes, query = {}) =>
      server().send(`${path}?${new URLSearchParams({ upload, part: String(part), ...query })}`, {
        method: 'PUT',
        credential,
        body: bytes as Uint8Array<ArrayBuffer>,
      }),
    complete: ({ credential }, upload, more = {}) => withBody('PATCH', credential, { upload, ...more }),
    abort: ({ credential }, upload) => withBody('DELETE', credential, { upload }),
    status: ({ credential }, upload) => server().send(`${path}?${new URLSearchParams({ upload })}`, { credential }),
    list: ({ credential }) => server().send(`${path}/open`, { credential }),
  };
}
