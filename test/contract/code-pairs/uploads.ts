import { expect } from 'vitest';

import type { Plan } from '#server/domain/plan.ts';
import { openRequest } from '#test/contract/bad-input/raw-request.ts';
import { statusesOf } from '#test/contract/limits/asking.ts';
import { chunking } from '#test/support/chunked.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { handleOf, metadataOf, serialUploads, tus, tusBytes, type SerialUploads } from '#test/support/serial.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';
import { heldUpload, whileTaken } from './held-bodies.ts';
import { tooOften, type PairContext, type PairsOf, type Provocation } from './provocation.ts';
import { busy } from './upload-busy.ts';

const sizeBytes = 3000;
const unknown = `/v1/uploads/${'a'.repeat(26)}.${'b'.repeat(43)}`;

/** Larger than the files in the database, so that it goes through the blob store. */
const blobSize = 50_000;

const on = (server: TestServer): SerialUploads => serialUploads(() => server);

/** A creation with this metadata. */
function createWith(fields: Readonly<Record<string, string>>, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) =>
    on(server).create(
      await server.account(plan),
      { 'Upload-Length': '3000', ...metadataOf({ name: 'big', ...fields }) },
      {},
    );
}

/** A creation with these headers. */
function createHeaded(headers: Readonly<Record<string, string>>, body?: Uint8Array): Provocation {
  return async ({ server }) =>
    on(server).create(await server.account(), { 'Upload-Length': '3000', ...headers }, { name: 'big' }, body);
}

type Asks = (uploads: SerialUploads, who: Pick<TestAccount, 'credential'>, address: string) => Promise<TestAnswer>;

/** A request about an open upload of 3000 bytes. */
function onOpen(
  ask: (uploads: SerialUploads, account: TestAccount, address: string, context: PairContext) => Promise<TestAnswer>,
): Provocation {
  return async (context) => {
    const account = await context.server.account();
    const uploads = on(context.server);
    return ask(uploads, account, await uploads.open(account, sizeBytes), context);
  };
}

/** The same request with a credential that cannot reach the upload. */
function outOfReach(asks: Asks) {
  return {
    UNSUPPORTED_TUS_VERSION: onOpen(async (_uploads, account, address, { server }) =>
      asks(
        serialUploads(() => ({
          send: (path, request) =>
            server.send(path, { ...request, headers: { ...request?.headers, 'Tus-Resumable': '0.2.2' } }),
        })),
        account,
        address,
      ),
    ),
    ACCESS_DENIED: ({ server }: PairContext) => asks(on(server), { credential: 'cbk_unknown' }, unknown),
    MISSING_SCOPE: onOpen(async (uploads, account, address, { server }) =>
      asks(uploads, { credential: await server.key(account, { scopes: ['blob:read'] }) }, address),
    ),
    PREFIX_NOT_ALLOWED: onOpen(async (uploads, account, address, { server }) =>
      asks(
        uploads,
        { credential: await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] }) },
        address,
      ),
    ),
    UPLOAD_NOT_FOUND: onOpen(async (uploads, _account, address, { server }) =>
      asks(uploads, await server.account(), address),
    ),
    ORIGIN_NOT_ALLOWED: async ({ server }: PairContext) => {
      const token = await tokenOf(server, await server.account(), { allowed_origins: ['https://app.example'] });
      const elsewhere: Pick<TestServer, 'send'> = {
        send: (path, request) =>
          server.send(path, { ...request, headers: { ...request?.headers, Origin: 'https://elsewhere.example' } }),
      };
      return asks(
        serialUploads(() => elsewhere),
        { credential: token },
        unknown,
      );
    },
    UPLOAD_BUSY: async ({ server, faults }: PairContext) => {
      const account = await server.account();
      const address = await on(server).open(account, sizeBytes);
      return busy(faults, () => asks(on(server), account, address));
    },
  };
}

/** A body whose end never comes. */
const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('bytes')) });

/** A creation whose body goes on, until another request asks for the offset of its upload. */
async function overtakenStart({ server }: PairContext): Promise<TestAnswer> {
  const account = await server.account();
  const uploads = on(server);
  const held = uploads.create(account, { 'Upload-Length': '3000', ...tusBytes }, { name: 'big' }, endless());
  const answered = held.then(() => true);
  for (let isAnswered = false; !isAnswered;) {
    const [open] = (await chunking(() => server).list(account)).json().response.uploads;
    if (open) await uploads.head(account, `/v1/uploads/${open.upload}`);
    isAnswered = await Promise.race([answered, new Promise<false>((resolve) => setTimeout(resolve, 20, false))]);
  }
  return held;
}

async function saveRule(server: TestServer, { credential }: TestAccount, rule: object): Promise<void> {
  await server.send('/v1/account/settings', { method: 'PUT', credential, body: JSON.stringify({ rules: [rule] }) });
}

const setQuota = (server: TestServer, { id }: TestAccount, bytes: number) =>
  server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(id, bytes));

/** Only the head announces so many bytes. */
async function announcing(
  server: TestServer,
  { credential }: TestAccount,
  request: { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> },
): Promise<TestAnswer> {
  const { wire, answer } = openRequest(server, { ...request, credential });
  wire.flushHeaders();
  const refused = await answer;
  wire.destroy();
  return refused;
}

const checked = { 'Upload-Checksum': 'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=' };

const tooLargeToCheck = { ...tus, ...tusBytes, ...checked, 'Content-Length': '33554433' };

/** The server takes four bodies of an account at once, at all doors together. */
const withoutPlace =
  (ask: (uploads: ReturnType<typeof on>, account: TestAccount) => Promise<TestAnswer>): Provocation =>
  async (context) => {
    const account = await context.limited.account();
    const hold = (signal: AbortSignal) => heldUpload(context, account.credential, signal);
    return whileTaken(4, hold, () => ask(on(context.limited), account));
  };

export const startUpload: PairsOf<'startUpload'> = {
  TOO_MANY_CONCURRENT_UPLOADS: withoutPlace((uploads, account) =>
    uploads.create(account, { 'Upload-Length': '3000', ...tusBytes }, { name: 'big' }, someBytes(10)),
  ),
  INSUFFICIENT_STORAGE: async ({ full }) => on(full).create(await full.account(), { 'Upload-Length': '3000' }),
  INVALID_OBJECT_NAME: async ({ server }) =>
    on(server).create(await server.account(), { 'Upload-Length': '3000' }, { name: '..' }),
  INVALID_OBJECT_PREFIX: createWith({ prefix: 'a//b' }),
  INVALID_OBJECT_EXPIRE: createWith({ expire: '1y' }),
  INVALID_OBJECT_SECURITY_HASH: createWith({ private: 'true', security_hash: 'false' }),
  INVALID_STORAGE_AUTO_DOWNLOAD: createWith({ auto_download: 'yes' }),
  INVALID_OBJECT_PRIVATE: createWith({ private: 'yes' }),
  INVALID_OVERWRITE: createWith({ overwrite: 'never' }),
  INVALID_OBJECT_DISPOSITION: createWith({ disposition: 'open' }),
  INVALID_OBJECT_CACHE_CONTROL: createWith({ cache_control: 'max-age=59' }),
  INVALID_OBJECT_METADATA: createWith({ metadata: '{"cubby-key":"reserved"}' }),
  INVALID_FILE_TYPE: createWith({ filename: 'photo.p!g' }),
  BLOCKED_FILE_TYPE: createWith({ filename: 'setup.exe' }),
  async FILE_TYPE_NOT_ALLOWED({ server }) {
    const account = await server.account();
    await saveRule(server, account, { prefix: 'invoices', extensions: ['pdf'] });
    const metadata = metadataOf({ prefix: 'invoices', filename: 'photo.png' });
    return on(server).create(account, { 'Upload-Length': '3000', ...metadata }, {});
  },
  INVALID_UPLOAD_HEADER: createHeaded({ 'Upload-Length': 'many' }),
  UNSUPPORTED_TUS_VERSION: createHeaded({ 'Tus-Resumable': '0.2.2' }),
  UNSUPPORTED_UPLOAD_TYPE: createHeaded({ 'Content-Type': 'image/png' }, someBytes(10)),
  FILE_TOO_SMALL: createHeaded({ 'Upload-Length': '511' }),
  FILE_TOO_LARGE: createHeaded({ 'Upload-Length': '10737418241' }),
  SIZE_MISMATCH: createHeaded({ 'Upload-Length': '600', ...tusBytes }, someBytes(601)),
  UPLOAD_CHECKSUM_MISMATCH: createHeaded({ ...checked, ...tusBytes }, someBytes(600)),
  async CHUNK_TOO_LARGE({ server }) {
    const headers = { ...tooLargeToCheck, 'Upload-Length': '40000000' };
    return announcing(server, await server.account(), { method: 'POST', path: '/v1/uploads?name=big', headers });
  },
  async UPLOAD_NOT_FOUND({ server }) {
    return on(server).create(await server.account(), { 'Upload-Concat': `final;${unknown}` });
  },
  UPLOAD_BUSY: overtakenStart,
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await server.account();
    await upload(server, account, { query: { name: 'big' }, filename: 'any.bin' });
    const query = { name: 'big', overwrite: 'false', filename: 'any.bin' };
    return on(server).create(account, { 'Upload-Length': '600', ...tusBytes }, query, someBytes(600));
  },
  ACCESS_DENIED: ({ server }) => on(server).create({ credential: 'cbk_unknown' }, { 'Upload-Length': '3000' }),
  PERMISSION_DENIED: createWith({}, 'none'),
  UPGRADE_REQUIRED: createWith({ metadata: '{"camera":"x100"}' }, 'hobby'),
  async UPLOAD_TOKEN_USED({ server }) {
    const token = await tokenOf(server, await server.account());
    await on(server).open({ credential: token }, 3000);
    return on(server).create({ credential: token }, { 'Upload-Length': '3000' });
  },
  async STORAGE_QUOTA_EXCEEDED({ server }) {
    const account = await server.account();
    await setQuota(server, account, 999);
    return on(server).create(account, { 'Upload-Length': '1000' });
  },
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'] });
    return on(server).create({ credential }, { 'Upload-Length': '3000' });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:write'], prefixes: ['invoices'] });
    return on(server).create({ credential }, { 'Upload-Length': '3000' });
  },
  async ORIGIN_NOT_ALLOWED({ server }) {
    const token = await tokenOf(server, await server.account(), { allowed_origins: ['https://app.example'] });
    return on(server).create({ credential: token }, { 'Upload-Length': '3000', Origin: 'https://elsewhere.example' });
  },
  RATE_LIMITED: tooOften((limited, account) => on(limited).create(account, { 'Upload-Length': '3000' })),
  async TOO_MANY_OPEN_UPLOADS({ server }) {
    const account = await server.account();
    for (let opened = 0; opened < 32; opened++) await on(server).open(account, 3000);
    return on(server).create(account, { 'Upload-Length': '3000' });
  },
  async UPLOAD_FAILED({ server, faults }) {
    const account = await server.account();
    const headers = { 'Upload-Length': String(blobSize), ...tusBytes };
    return faults.broken('blobs.put', () => on(server).create(account, headers, { name: 'big' }, someBytes(blobSize)));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const query = { name: 'big', prefix: 'photos' };
    return faults.unexpected('rules.listOf', () => on(server).create(account, { 'Upload-Length': '3000' }, query));
  },
};

export const putUploadBytes: PairsOf<'putUploadBytes'> = {
  TOO_MANY_CONCURRENT_UPLOADS: withoutPlace((uploads, account) => uploads.append(account, unknown, 0, someBytes(10))),
  ...outOfReach((uploads, who, address) => uploads.append(who, address, 0, someBytes())),
  UPLOAD_BUSY: onOpen(async (uploads, account, address, { server }) => {
    const held = uploads.append(account, address, 0, endless());
    const id = handleOf(address).split('.')[0]!;
    const { chunkedUploads } = server.running.app.stores.metadata.read;
    await expect.poll(async () => (await chunkedUploads.find(id))?.writer).not.toBe(null);
    await uploads.head(account, address);
    return held;
  }),
  INVALID_UPLOAD_HEADER: onOpen((uploads, account, address) =>
    uploads.append(account, address, 0, someBytes(), { 'Upload-Offset': '-1' }),
  ),
  UNSUPPORTED_UPLOAD_TYPE: onOpen((uploads, account, address) =>
    uploads.append(account, address, 0, someBytes(), { 'Content-Type': 'application/octet-stream' }),
  ),
  UPLOAD_OFFSET_MISMATCH: onOpen((uploads, account, address) => uploads.append(account, address, 1, someBytes(10))),
  UPLOAD_CHECKSUM_MISMATCH: onOpen((uploads, account, address) =>
    uploads.append(account, address, 0, someBytes(10), checked),
  ),
  SIZE_MISMATCH: onOpen((uploads, account, address) => uploads.append(account, address, 0, someBytes(sizeBytes + 1))),
  CHUNK_TOO_LARGE: async ({ server }) => {
    const account = await server.account();
    const path = await on(server).open(account, 40_000_000);
    return announcing(server, account, {
      method: 'PATCH',
      path,
      headers: { ...tooLargeToCheck, 'Upload-Offset': '0' },
    });
  },
  async FILE_TOO_LARGE({ server }) {
    const account = await server.account();
    await saveRule(server, account, { prefix: 'small', max_size: 1000 });
    const made = await on(server).create(account, { 'Upload-Defer-Length': '1' }, { name: 'big', prefix: 'small' });
    return on(server).append(account, made.headers.get('location')!, 0, someBytes(1001));
  },
  async FILE_TOO_SMALL({ server }) {
    const account = await server.account();
    const made = await on(server).draft(account, { 'Upload-Complete': '?0' });
    return on(server).draftAppend(account, made.headers.get('location')!, 0, someBytes(511));
  },
  UPLOAD_COMPLETED: onOpen(async (uploads, account, address) => {
    await uploads.append(account, address, 0, someBytes(sizeBytes));
    return uploads.append(account, address, sizeBytes, someBytes(1));
  }),
  async UPLOAD_IS_FINAL({ server }) {
    const account = await server.account();
    const uploads = on(server);
    const partial = await uploads.open(account, 600, { 'Upload-Concat': 'partial' });
    await uploads.append(account, partial, 0, someBytes(600));
    const made = await uploads.create(account, { 'Upload-Concat': `final;${partial}` });
    return uploads.append(account, made.headers.get('location')!, 600, someBytes(1));
  },
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await server.account();
    const query = { name: 'big', overwrite: 'false', filename: 'any.bin' };
    const address = await on(server).open(account, 600, {}, query);
    await upload(server, account, { query: { name: 'big' }, filename: 'any.bin' });
    return on(server).append(account, address, 0, someBytes(600));
  },
  STORAGE_QUOTA_EXCEEDED: onOpen(async (uploads, account, address, { server }) => {
    await setQuota(server, account, 999);
    return uploads.append(account, address, 0, someBytes(1000));
  }),
  // Appends do not count towards the limit of all requests.
  async RATE_LIMITED({ limited }) {
    const account = await limited.account();
    await statusesOf(limited, 600, 'PATCH', unknown, account);
    return on(limited).append(account, unknown, 0, someBytes(1));
  },
  // The upload is looked up when there is space for its bytes.
  INSUFFICIENT_STORAGE: async ({ full }) => on(full).append(await full.account(), unknown, 0, someBytes(blobSize)),
  async UPLOAD_FAILED({ server, faults }) {
    const account = await server.account();
    const address = await on(server).open(account, blobSize);
    return faults.broken('blobs.put', () => on(server).append(account, address, 0, someBytes(blobSize)));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const address = await on(server).open(account, blobSize);
    return faults.unexpected('blobs.put', () => on(server).append(account, address, 0, someBytes(blobSize)));
  },
};

/** An upload whose bytes have all come by parts, and whose file does not exist yet. */
async function withAllBytes(
  { server }: PairContext,
  query: Readonly<Record<string, string>> = { name: 'big' },
): Promise<{ readonly account: TestAccount; readonly address: string }> {
  const account = await server.account();
  const chunks = chunking(() => server);
  const handle = await chunks.open(account, { size: '600', ...query });
  await chunks.put(account, handle, 1, someBytes(600));
  return { account, address: `/v1/uploads/${handle}` };
}

/** `GET` instead of `HEAD`, because the response of `HEAD` has no body to check. */
const getState: Asks = async (uploads, who, address) => uploads.state(who, address);

export const getUpload: PairsOf<'getUpload'> = {
  ...outOfReach(getState),
  async UPLOAD_BUSY(context) {
    const { account, address } = await withAllBytes(context);
    return busy(context.faults, () => on(context.server).state(account, address));
  },
  async FILE_TOO_SMALL({ server }) {
    const account = await server.account();
    const made = await on(server).create(account, { 'Upload-Defer-Length': '1' });
    const address = made.headers.get('location')!;
    await on(server).append(account, address, 0, someBytes(10), { 'Upload-Length': '10' });
    return on(server).state(account, address);
  },
  async OBJECT_ALREADY_EXISTS(context) {
    const { server } = context;
    const { account, address } = await withAllBytes(context, { name: 'big', overwrite: 'false', filename: 'any.bin' });
    await upload(server, account, { query: { name: 'big' }, filename: 'any.bin' });
    return on(server).state(account, address);
  },
  async STORAGE_QUOTA_EXCEEDED(context) {
    const { account, address } = await withAllBytes(context);
    await setQuota(context.server, account, 10);
    return on(context.server).state(account, address);
  },
  RATE_LIMITED: tooOften((limited, account) => on(limited).state(account, unknown)),
  async UPLOAD_FAILED(context) {
    const { account, address } = await withAllBytes(context);
    return context.faults.broken('atomically', () => on(context.server).state(account, address));
  },
  INTERNAL_SERVER_ERROR: onOpen((uploads, account, address, { faults }) =>
    faults.unexpected('chunkedUploads.partsOf', () => uploads.state(account, address)),
  ),
};

export const deleteUpload: PairsOf<'deleteUpload'> = {
  ...outOfReach((uploads, who, address) => uploads.end(who, address)),
  RATE_LIMITED: tooOften((limited, account) => on(limited).end(account, unknown)),
  INTERNAL_SERVER_ERROR: onOpen((uploads, account, address, { faults }) =>
    faults.unexpected('atomically', () => uploads.end(account, address)),
  ),
};
