import type { Refuses } from '#test/flows/cases.ts';
import { chunking } from './chunked.ts';
import { formWith, someBytes } from './files.ts';
import { partsOfFeatures } from './parts-of-features.ts';
import { handleOf, serialUploads, tusBytes } from './serial.ts';
import type { TestAccount, TestAnswer, TestServer } from './server.ts';

const ofFeatures = await partsOfFeatures('cases');

type Headers = Readonly<Record<string, string>>;

/** A file that a write is about, and how the write is sent. */
export interface Target {
  /** The id of the file that is there before. */
  readonly id: string;
  readonly etag: string;
  write(headers: Headers): Promise<TestAnswer>;
}

/** The requests of a server that write files, by the operation that they are about. */
export interface ConditionalWrites {
  /** Every way to write a file that keeps conditions, about a file that is there. */
  readonly kept: Readonly<Record<string, (account: TestAccount) => Promise<Target>>>;
  /** Every request that refuses conditions. It would change something without them. */
  readonly refused: Readonly<Record<string, Refuses>>;
  /** Requests that end an upload whose start had a condition that holds no more. */
  readonly late: Readonly<Record<'getUpload' | 'putUploadBytes', (account: TestAccount) => Promise<TestAnswer>>>;
  put(account: TestAccount, query?: Headers, headers?: Headers): Promise<TestAnswer>;
  /** Returns the ETag of a file. Undefined if there is none. */
  etagNow(account: TestAccount, id: string): Promise<string | undefined>;
}

/** Returns the requests for one server. */
export function conditionalWrites(server: TestServer): ConditionalWrites {
  const chunks = chunking(() => server);
  const serial = serialUploads(() => server);
  const name = 'photo';
  const filename = 'photo.png';

  const ask = ({ credential }: TestAccount, method: string, path: string, body: unknown, headers: Headers = {}) =>
    server.send(path, { method, credential, headers, body: JSON.stringify(body) });

  async function put(account: TestAccount, query: Headers = {}, headers: Headers = {}): Promise<TestAnswer> {
    const search = new URLSearchParams({ name, ...query });
    const { credential } = account;
    return server.send(`/v1/objects?${search}`, { method: 'POST', credential, headers, body: formWith(someBytes()) });
  }

  const stored = (answer: TestAnswer) => answer.json().response as { readonly id: string; readonly etag: string };

  async function etagNow({ credential }: TestAccount, id: string): Promise<string | undefined> {
    const answer = await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential });
    return answer.status === 404 ? undefined : answer.json().response.etag;
  }

  /** A folder whose deleted files the trash keeps, with a version of the file in it. */
  async function keptVersion(account: TestAccount, prefix = 'kept'): Promise<string> {
    await ask(account, 'PUT', '/v1/account/settings', { rules: [{ prefix, keep_deleted_days: 30 }] });
    const { id } = stored(await put(account, { prefix }));
    await ask(account, 'DELETE', '/v1/objects', { object: id });
    const { versions } = (await server.send('/v1/trash', { credential: account.credential })).json().response;
    return versions[0].version;
  }

  /** An upload of 600 bytes by tus whose start has the conditions, ended as `end` does. */
  async function byTus(
    account: TestAccount,
    headers: Headers,
    end: (address: string) => Promise<TestAnswer>,
  ): Promise<TestAnswer> {
    const query = { name, filename };
    const made = await serial.create(account, { 'Upload-Length': '600', ...headers }, query);
    return made.status === 201 ? end(made.headers.get('location')!) : made;
  }

  async function concatenated(account: TestAccount, headers: Headers): Promise<TestAnswer> {
    const partial = await serial.open(account, 600, { 'Upload-Concat': 'partial' });
    await serial.append(account, partial, 0, someBytes(600));
    return serial.create(account, { 'Upload-Concat': `final;${partial}`, ...headers }, { name, filename });
  }

  const kept: ConditionalWrites['kept'] = {
    uploadObject: async (account) => ({
      ...stored(await put(account)),
      write: (headers) => put(account, {}, headers),
    }),
    deleteObjects: async (account) => {
      const file = stored(await put(account));
      return { ...file, write: (headers) => ask(account, 'DELETE', '/v1/objects', { object: file.id }, headers) };
    },
    'deleteObjects, a list of one': async (account) => {
      const file = stored(await put(account));
      return { ...file, write: (headers) => ask(account, 'DELETE', '/v1/objects', { objects: [file.id] }, headers) };
    },
    updateObjects: async (account) => {
      const file = stored(await put(account));
      const change = { object: file.id, private: true };
      return { ...file, write: (headers) => ask(account, 'PATCH', '/v1/objects', change, headers) };
    },
    copyObject: async (account) => {
      const copy = { source: stored(await put(account, { name: 'other' })).id, destination: { name }, overwrite: true };
      const write = (headers: Headers) => ask(account, 'POST', '/v1/objects/copy', copy, headers);
      return { ...stored(await put(account)), write };
    },
    'copyObject, a move': async (account) => {
      const source = stored(await put(account, { name: 'other' })).id;
      const copy = { source, destination: { name }, overwrite: true, move: true };
      const write = (headers: Headers) => ask(account, 'POST', '/v1/objects/copy', copy, headers);
      return { ...stored(await put(account)), write };
    },
    restoreTrash: async (account) => {
      const version = await keptVersion(account);
      const restore = { version, overwrite: true };
      const write = (headers: Headers) => ask(account, 'POST', '/v1/trash/restore', restore, headers);
      return { ...stored(await put(account, { prefix: 'kept' })), write };
    },
    completeChunkedUpload: async (account) => {
      const upload = await chunks.open(account, { name, filename });
      await chunks.put(account, upload, 1, someBytes());
      const write = (headers: Headers) => ask(account, 'PATCH', '/v1/objects/chunked', { upload }, headers);
      return { ...stored(await put(account)), write };
    },
    'startUpload of the draft, in one request': async (account) => ({
      ...stored(await put(account)),
      write: (headers) =>
        serial.draft(account, { 'Upload-Complete': '?1', ...headers }, { name, filename }, someBytes(600)),
    }),
    'startUpload of the draft, in two requests': async (account) => ({
      ...stored(await put(account)),
      async write(headers) {
        const made = await serial.draft(account, { 'Upload-Complete': '?0', ...headers }, { name, filename });
        return made.status === 201
          ? serial.draftAppend(account, made.headers.get('location')!, 0, someBytes(600))
          : made;
      },
    }),
    'startUpload of tus, with all bytes': async (account) => ({
      ...stored(await put(account)),
      write: (headers) =>
        serial.create(account, { 'Upload-Length': '600', ...tusBytes, ...headers }, { name, filename }, someBytes(600)),
    }),
    'startUpload of tus, ended by putUploadBytes': async (account) => ({
      ...stored(await put(account)),
      write: (headers) => byTus(account, headers, (address) => serial.append(account, address, 0, someBytes(600))),
    }),
    'startUpload of tus, ended by getUpload': async (account) => ({
      ...stored(await put(account)),
      write: (headers) =>
        byTus(account, headers, async (address) => {
          await chunks.put(account, handleOf(address), 1, someBytes(600));
          return serial.state(account, address);
        }),
    }),
    'startUpload of tus, ended by completeChunkedUpload': async (account) => ({
      ...stored(await put(account)),
      write: (headers) =>
        byTus(account, headers, async (address) => {
          await chunks.put(account, handleOf(address), 1, someBytes(600));
          return chunks.complete(account, handleOf(address));
        }),
    }),
    'startUpload of tus, made of partial ones': async (account) => ({
      ...stored(await put(account)),
      write: (headers) => concatenated(account, headers),
    }),
  };

  const refused: ConditionalWrites['refused'] = {
    async 'deleteObjects of several'(account, headers) {
      const ids = [stored(await put(account)).id, stored(await put(account, { name: 'other' })).id];
      return ask(account, 'DELETE', '/v1/objects', { objects: ids }, headers);
    },
    async 'updateObjects of several'(account, headers) {
      const ids = [stored(await put(account)).id, stored(await put(account, { name: 'other' })).id];
      return ask(account, 'PATCH', '/v1/objects', { objects: ids, private: true }, headers);
    },
    async 'restoreTrash of several'(account, headers) {
      const version = await keptVersion(account);
      return ask(account, 'POST', '/v1/trash/restore', { versions: [version, version] }, headers);
    },
    'startUpload of a partial one': (account, headers) =>
      serial.create(account, { 'Upload-Length': '600', 'Upload-Concat': 'partial', ...headers }),
    startChunkedUpload: ({ credential }, headers) =>
      server.send('/v1/objects/chunked?name=big', { method: 'POST', credential, headers }),
    async putChunkedPart(account, headers) {
      const { credential } = account;
      const path = `/v1/objects/chunked?${new URLSearchParams({ upload: await chunks.open(account), part: '1' })}`;
      return server.send(path, { method: 'PUT', credential, headers, body: someBytes() as Uint8Array<ArrayBuffer> });
    },
    putUploadBytes: async (account, headers) =>
      serial.append(account, await serial.open(account, 600), 0, someBytes(600), headers),
    startFolderJob: (account, headers) =>
      ask(account, 'POST', '/v1/folders/jobs', { action: 'delete', prefix: 'builds' }, headers),
    deleteTrash: async (account, headers) =>
      ask(account, 'DELETE', '/v1/trash', { version: await keptVersion(account) }, headers),
    ...Object.assign({}, ...ofFeatures.map((own) => own.refusing?.(server))),
  };

  /** An upload that may only create its file, which another one creates meanwhile. */
  async function overtaken(account: TestAccount): Promise<string> {
    const address = await serial.open(account, 600, { 'If-None-Match': '*' }, { name, filename });
    await put(account);
    return address;
  }

  const late: ConditionalWrites['late'] = {
    putUploadBytes: async (account) => serial.append(account, await overtaken(account), 0, someBytes(600)),
    async getUpload(account) {
      const address = await overtaken(account);
      await chunks.put(account, handleOf(address), 1, someBytes(600));
      return serial.state(account, address);
    },
  };

  return { kept, refused, late, put, etagNow };
}
