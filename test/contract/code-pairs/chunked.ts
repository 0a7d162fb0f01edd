import type { Plan } from '#server/domain/plan.ts';
import { openRequest } from '#test/contract/bad-input/raw-request.ts';
import { statusesOf } from '#test/contract/limits/asking.ts';
import { chunking } from '#test/support/chunked.ts';
import { someBytes, upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { mint } from '#test/support/upload-tokens.ts';
import { tooOften, type PairContext, type PairsOf, type Provocation } from './provocation.ts';

/** Larger than the files in the database, so that it goes through the blob store. */
const blobSize = 50_000;

const path = '/v1/objects/chunked';
const unknown = `${'a'.repeat(26)}.${'b'.repeat(43)}`;

/** A start with these wrong query parameters. */
function startWith(query: Readonly<Record<string, string>>, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) => chunking(() => server).start(await server.account(plan), query);
}

/** A request about an open upload. */
function onOpen(
  ask: (
    chunks: ReturnType<typeof chunking>,
    account: TestAccount,
    handle: string,
    context: PairContext,
  ) => Promise<TestAnswer>,
): Provocation {
  return async (context) => {
    const account = await context.server.account();
    const chunks = chunking(() => context.server);
    return ask(chunks, account, await chunks.open(account), context);
  };
}

/** The same request with a key, or an upload token, that cannot access the upload. */
type Asks = (
  chunks: ReturnType<typeof chunking>,
  who: Pick<TestAccount, 'credential'>,
  handle: string,
) => Promise<TestAnswer>;

function outOfReach(asks: Asks) {
  return {
    ACCESS_DENIED: ({ server }: PairContext) =>
      asks(
        chunking(() => server),
        { credential: 'cbk_unknown' },
        unknown,
      ),
    MISSING_SCOPE: onOpen(async (chunks, account, handle, { server }) =>
      asks(chunks, { credential: await server.key(account, { scopes: ['blob:read'] }) }, handle),
    ),
    PREFIX_NOT_ALLOWED: onOpen(async (chunks, account, handle, { server }) =>
      asks(
        chunks,
        { credential: await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] }) },
        handle,
      ),
    ),
    INVALID_UPLOAD_TOKEN: onOpen(async (chunks, _account, handle, { server }) =>
      asks(chunks, await server.account(), handle),
    ),
    UPLOAD_NOT_FOUND: onOpen(async (chunks, account, handle) => {
      await chunks.put(account, handle, 1, someBytes());
      await chunks.complete(account, handle);
      return asks(chunks, account, handle);
    }),
  };
}

/** A request from a page that the upload token does not allow. */
function fromElsewhere(request: {
  readonly method: string;
  readonly query?: string;
  readonly body?: string;
}): Provocation {
  return async ({ server }) => {
    const token = (await mint(server, await server.account(), { allowed_origins: ['https://app.example'] })).json()
      .response.token;
    return server.send(path + (request.query ?? ''), {
      ...request,
      credential: token,
      headers: { Origin: 'https://elsewhere.example' },
    });
  };
}

function withBody(method: string, body: string): Provocation {
  return async ({ server }) => server.send(path, { method, credential: (await server.account()).credential, body });
}

/** A part whose body never comes. */
async function heldPart(
  limited: TestServer,
  credential: string,
  handle: string,
  signal: AbortSignal,
): Promise<TestAnswer> {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('bytes')) });
  return limited.send(`${path}?upload=${handle}&part=1`, { method: 'PUT', credential, body, signal });
}

export const startChunkedUpload: PairsOf<'startChunkedUpload'> = {
  INSUFFICIENT_STORAGE: async ({ full }) => chunking(() => full).start(await full.account()),
  INVALID_OBJECT_NAME: startWith({ name: '../photo' }),
  INVALID_OBJECT_PREFIX: startWith({ prefix: 'a//b' }),
  INVALID_OBJECT_EXPIRE: startWith({ expire: '1y' }),
  INVALID_OBJECT_SECURITY_HASH: startWith({ private: 'true', security_hash: 'false' }),
  INVALID_STORAGE_AUTO_DOWNLOAD: startWith({ auto_download: 'yes' }),
  INVALID_OBJECT_PRIVATE: startWith({ private: 'yes' }),
  INVALID_OVERWRITE: startWith({ overwrite: 'never' }),
  INVALID_OBJECT_DISPOSITION: startWith({ disposition: 'open' }),
  INVALID_OBJECT_CACHE_CONTROL: startWith({ cache_control: 'max-age=59' }),
  INVALID_OBJECT_METADATA: startWith({ metadata: '{"cubby-key":"reserved"}' }),
  INVALID_FILE_TYPE: startWith({ filename: 'photo.p!g' }),
  BLOCKED_FILE_TYPE: startWith({ filename: 'setup.exe' }),
  INVALID_SIZE: startWith({ size: 'many' }),
  FILE_TOO_SMALL: startWith({ size: '511' }),
  async FILE_TYPE_NOT_ALLOWED({ server }) {
    const account = await server.account();
    await saveRule(server, account, { prefix: 'invoices', extensions: ['pdf'] });
    return chunking(() => server).start(account, { prefix: 'invoices', filename: 'photo.png' });
  },

  ACCESS_DENIED: ({ server }) => chunking(() => server).start({ credential: 'cbk_unknown' }),
  PERMISSION_DENIED: startWith({}, 'none'),
  async UPLOAD_TOKEN_USED({ server }) {
    const token = (await mint(server, await server.account())).json().response.token;
    await chunking(() => server).open({ credential: token });
    return chunking(() => server).start({ credential: token });
  },

  async STORAGE_QUOTA_EXCEEDED({ server }) {
    const account = await server.account();
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 999));
    return chunking(() => server).start(account, { size: '1000' });
  },
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return chunking(() => server).start({ credential: await server.key(account, { scopes: ['blob:read'] }) });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return chunking(() => server).start({ credential }, { prefix: 'photos' });
  },
  ORIGIN_NOT_ALLOWED: fromElsewhere({ method: 'POST', query: '?name=big' }),
  UPGRADE_REQUIRED: startWith({ metadata: '{"camera":"x100"}' }, 'hobby'),
  async FILE_TOO_LARGE({ server }) {
    const account = await server.account();
    await saveRule(server, account, { prefix: 'small', max_size: 1000 });
    return chunking(() => server).start(account, { prefix: 'small', size: '1001' });
  },

  RATE_LIMITED: tooOften((limited, account) => chunking(() => limited).start(account)),
  async TOO_MANY_OPEN_UPLOADS({ server }) {
    const account = await server.account();
    for (let opened = 0; opened < 32; opened++) await chunking(() => server).open(account);
    return chunking(() => server).start(account);
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    return faults.unexpected('rules.listOf', () => chunking(() => server).start(account, { prefix: 'photos' }));
  },
};

async function saveRule(server: TestServer, { credential }: TestAccount, rule: object): Promise<void> {
  await server.send('/v1/account/settings', { method: 'PUT', credential, body: JSON.stringify({ rules: [rule] }) });
}

export const putChunkedPart: PairsOf<'putChunkedPart'> = {
  ...outOfReach((chunks, who, handle) => chunks.put(who, handle, 1, someBytes())),
  INVALID_CHUNK_PART: onOpen((chunks, account, handle) => chunks.put(account, handle, 2049, someBytes())),
  EMPTY_CHUNK: onOpen((chunks, account, handle) => chunks.put(account, handle, 1, Buffer.alloc(0))),
  INVALID_CHECKSUM: onOpen((chunks, account, handle) =>
    chunks.put(account, handle, 1, someBytes(), { checksum_sha256: 'ABCDEF' }),
  ),
  CHECKSUM_MISMATCH: onOpen((chunks, account, handle) =>
    chunks.put(account, handle, 1, someBytes(), { checksum_sha256: '0'.repeat(64) }),
  ),
  STORAGE_QUOTA_EXCEEDED: onOpen(async (chunks, account, handle, { server }) => {
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 999));
    return chunks.put(account, handle, 1, someBytes(1000));
  }),
  ORIGIN_NOT_ALLOWED: fromElsewhere({ method: 'PUT', query: `?upload=${unknown}&part=1`, body: 'bytes' }),
  // Only the head announces so many bytes. test/contract/bad-input/chunked.test.ts sends them.
  CHUNK_TOO_LARGE: onOpen(async (_chunks, { credential }, handle, { server }) => {
    const headers = { 'Content-Length': '33554433' };
    const { wire, answer } = openRequest(server, {
      method: 'PUT',
      path: `${path}?upload=${handle}&part=1`,
      credential,
      headers,
    });
    wire.flushHeaders();
    const refused = await answer;
    wire.destroy();
    return refused;
  }),
  async FILE_TOO_LARGE({ server }) {
    const account = await server.account();
    await saveRule(server, account, { prefix: 'small', max_size: 1000 });
    const chunks = chunking(() => server);
    return chunks.put(account, await chunks.open(account, { prefix: 'small' }), 1, someBytes(1001));
  },
  // Parts do not count towards the limit of all requests.
  async RATE_LIMITED({ limited }) {
    const account = await limited.account();
    await statusesOf(limited, 600, 'PUT', `${path}?upload=${unknown}&part=1`, account);
    return chunking(() => limited).put(account, unknown, 1, someBytes(1));
  },
  async TOO_MANY_CONCURRENT_CHUNKS({ limited }) {
    const account = await limited.account();
    const chunks = chunking(() => limited);
    const handle = await chunks.open(account);
    const over = new AbortController();
    const held = Array.from({ length: 7 }, () => heldPart(limited, account.credential, handle, over.signal));
    // Six requests wait for the rest of their bytes, so one of the seven is answered.
    const answer = await Promise.race(held);
    over.abort();
    await Promise.allSettled(held);
    return answer;
  },
  // The upload is looked up when there is space for its bytes.
  INSUFFICIENT_STORAGE: async ({ full }) =>
    chunking(() => full).put(await full.account(), unknown, 1, someBytes(blobSize)),
  UPLOAD_FAILED: onOpen((chunks, account, handle, { faults }) =>
    faults.broken('blobs.put', () => chunks.put(account, handle, 1, someBytes(blobSize))),
  ),
  INTERNAL_SERVER_ERROR: onOpen((chunks, account, handle, { faults }) =>
    faults.unexpected('blobs.put', () => chunks.put(account, handle, 1, someBytes(blobSize))),
  ),
};

export const completeChunkedUpload: PairsOf<'completeChunkedUpload'> = {
  ...outOfReach((chunks, who, handle) => chunks.complete(who, handle)),
  INVALID_BODY: withBody('PATCH', '[]'),
  // Completed uploads answer again. Aborted ones do not.
  UPLOAD_NOT_FOUND: onOpen(async (chunks, account, handle) => {
    await chunks.abort(account, handle);
    return chunks.complete(account, handle);
  }),
  INVALID_CHUNK_PART: onOpen(async (chunks, account, handle) => {
    await chunks.put(account, handle, 2, someBytes());
    return chunks.complete(account, handle);
  }),
  CHUNK_TOO_SMALL: onOpen(async (chunks, account, handle) => {
    for (const part of [1, 2]) await chunks.put(account, handle, part, someBytes());
    return chunks.complete(account, handle);
  }),
  NO_CHUNKS_UPLOADED: onOpen((chunks, account, handle) => chunks.complete(account, handle)),
  INVALID_CHECKSUM: onOpen((chunks, account, handle) =>
    chunks.complete(account, handle, { checksum_sha256: 'ABCDEF' }),
  ),
  CHECKSUM_MISMATCH: onOpen(async (chunks, account, handle) => {
    await chunks.put(account, handle, 1, someBytes());
    return chunks.complete(account, handle, { checksum_sha256: '0'.repeat(64) });
  }),
  FILE_TOO_SMALL: onOpen(async (chunks, account, handle) => {
    await chunks.put(account, handle, 1, someBytes(511));
    return chunks.complete(account, handle);
  }),
  STORAGE_QUOTA_EXCEEDED: onOpen(async (chunks, account, handle, { server }) => {
    await chunks.put(account, handle, 1, someBytes(1000));
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 999));
    return chunks.complete(account, handle);
  }),
  ORIGIN_NOT_ALLOWED: fromElsewhere({ method: 'PATCH', body: JSON.stringify({ upload: unknown }) }),
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await server.account();
    const chunks = chunking(() => server);
    const handle = await chunks.open(account, { overwrite: 'false' });
    await chunks.put(account, handle, 1, someBytes());
    await upload(server, account, { query: { name: 'big' }, filename: 'any.bin' });
    return chunks.complete(account, handle);
  },
  async SIZE_MISMATCH({ server }) {
    const account = await server.account();
    const chunks = chunking(() => server);
    const handle = await chunks.open(account, { size: '6000' });
    await chunks.put(account, handle, 1, someBytes(3000));
    return chunks.complete(account, handle);
  },
  BODY_TOO_LARGE: withBody('PATCH', ' '.repeat(1_048_577)),
  RATE_LIMITED: tooOften((limited, account) => chunking(() => limited).complete(account, unknown)),
  UPLOAD_FAILED: onOpen(async (chunks, account, handle, { faults }) => {
    await chunks.put(account, handle, 1, someBytes());
    return faults.broken('atomically', () => chunks.complete(account, handle));
  }),
  INTERNAL_SERVER_ERROR: onOpen(async (chunks, account, handle, { faults }) => {
    await chunks.put(account, handle, 1, someBytes());
    return faults.unexpected('atomically', () => chunks.complete(account, handle));
  }),
};

export const abortChunkedUpload: PairsOf<'abortChunkedUpload'> = {
  ...outOfReach((chunks, who, handle) => chunks.abort(who, handle)),
  INVALID_BODY: withBody('DELETE', '[]'),
  ORIGIN_NOT_ALLOWED: fromElsewhere({ method: 'DELETE', body: JSON.stringify({ upload: unknown }) }),
  BODY_TOO_LARGE: withBody('DELETE', ' '.repeat(1_048_577)),
  RATE_LIMITED: tooOften((limited, account) => chunking(() => limited).abort(account, unknown)),
  INTERNAL_SERVER_ERROR: onOpen((chunks, account, handle, { faults }) =>
    faults.unexpected('atomically', () => chunks.abort(account, handle)),
  ),
};

export const getChunkedUpload: PairsOf<'getChunkedUpload'> = {
  ...outOfReach((chunks, who, handle) => chunks.status(who, handle)),
  ORIGIN_NOT_ALLOWED: fromElsewhere({ method: 'GET', query: `?upload=${unknown}` }),
  RATE_LIMITED: tooOften((limited, account) => chunking(() => limited).status(account, unknown)),
  INTERNAL_SERVER_ERROR: onOpen((chunks, account, handle, { faults }) =>
    faults.unexpected('apiKeys.findWithAccount', () => chunks.status(account, handle)),
  ),
};

export const listChunkedUploads: PairsOf<'listChunkedUploads'> = {
  ACCESS_DENIED: ({ server }) => chunking(() => server).list({ credential: 'cbk_unknown' }),
  async MISSING_SCOPE({ server }) {
    return chunking(() => server).list({
      credential: await server.key(await server.account(), { scopes: ['blob:read'] }),
    });
  },
  RATE_LIMITED: tooOften((limited, account) => chunking(() => limited).list(account)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    return faults.unexpected('apiKeys.findWithAccount', () => chunking(() => server).list(account));
  },
};
