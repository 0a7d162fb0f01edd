import { maxActiveShares, maxBundleFiles } from '#server/features/shares/limits.ts';
import type { Plan } from '#server/domain/plan.ts';
import { someBytes, upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import {
  createShare as create,
  givePassword,
  hashOf,
  openLink,
  pressDownload,
  shareFile,
  storedShare,
  type TestShare,
} from '#test/support/shares.ts';
import { imagePairs } from './image-variants.ts';
import { whenFull } from './server-overloaded.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

const password = 'correct horse';
const tooLong = { padding: ' '.repeat(1_048_576) };

/** A file of a new account. */
async function file(
  server: TestServer,
  plan?: Plan,
): Promise<{ readonly account: TestAccount; readonly object: string }> {
  const account = await server.account(plan);
  return { account, object: (await upload(server, account, { query: { private: 'true' } })).json().response.id };
}

/** Fills the folder `many` with more files than a link may lead to. All have the same bytes. */
async function fillFolder(server: TestServer, account: TestAccount): Promise<void> {
  await upload(server, account, { query: { private: 'true', prefix: 'many' } });
  const { metadata } = server.running.app.stores;
  const [listed] = await metadata.read.objects.scan({ accountId: account.id, space: 'private', prefix: '', limit: 1 });
  const file = (await metadata.read.objects.find(listed!))!;
  for (let at = 0; at < maxBundleFiles; at += 1000)
    await metadata.atomically(async (tx) => {
      for (let number = at; number < at + 1000; number++)
        await tx.objects.put({ ...file, key: `many/${number}`, versionId: `v${number}`, generation: `g${number}` });
    });
}

/** A link to a folder. It takes one that is not there yet. */
async function folderLink(server: TestServer, account: TestAccount, prefix: string): Promise<TestShare> {
  const { id, url, object } = (await create(server, account, { prefix })).json().response;
  return { id, path: `/s/${id}`, url, object };
}

/** A link to a folder that later got too many files. */
async function tooLarge(server: TestServer): Promise<{ readonly account: TestAccount; readonly share: TestShare }> {
  const account = await server.account();
  const share = await folderLink(server, account, 'many');
  await fillFolder(server, account);
  return { account, share };
}

const createWith =
  (body: Readonly<Record<string, unknown>>, plan?: Plan): Provocation =>
  async ({ server }) => {
    const { account, object } = await file(server, plan);
    return create(server, account, { object, ...body });
  };

export const createShare: PairsOf<'createShare'> = {
  INVALID_BODY: async ({ server }) => create(server, await server.account(), []),
  INVALID_OBJECT: createWith({ object: 'pub/204815162342108999/of-another-account.png' }),
  TOO_MANY_OBJECTS: createWith({ object: undefined, objects: Array(1001).fill('pub/204815162342108999/a.png') }),
  INVALID_OBJECT_PREFIX: createWith({ object: undefined, prefix: '../a' }),
  async BUNDLE_TOO_LARGE({ server }) {
    const account = await server.account();
    await fillFolder(server, account);
    return create(server, account, { prefix: 'many' });
  },
  INVALID_EXPIRES_IN: createWith({ expires_in: 59 }),
  INVALID_MAX_DOWNLOADS: createWith({ max_downloads: 10_001 }),
  INVALID_PASSWORD: createWith({ password: 'seven77' }),
  INVALID_LANDING: createWith({ landing: 'yes' }),
  INVALID_SHARE_TITLE: createWith({ title: ' ' }),
  INVALID_SHARE_MESSAGE: createWith({ message: 'a\u0007' }),
  ACCESS_DENIED: ({ server }) =>
    create(server, { credential: 'cbk_unknown' }, { object: 'pub/204815162342108999/a.png' }),
  UPGRADE_REQUIRED: createWith({ password }, 'standard'),
  async MISSING_SCOPE({ server }) {
    const { account, object } = await file(server);
    return create(server, { credential: await server.key(account, { scopes: ['blob:read'] }) }, { object });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const { account, object } = await file(server);
    return create(
      server,
      { credential: await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] }) },
      { object },
    );
  },
  async OBJECT_NOT_FOUND({ server }) {
    const account = await server.account();
    return create(server, account, { object: `prv/${account.id}/missing.png` });
  },
  async TOO_MANY_SHARES({ server }) {
    const { account, object } = await file(server);
    const { metadata } = server.running.app.stores;
    const { id } = (await create(server, account, { object })).json().response;
    const share = (await storedShare(server, { id }))!;
    await metadata.atomically(async (tx) => {
      for (let at = 1; at < maxActiveShares; at++) await tx.shares.add({ ...share, idHash: `${id}-${at}` });
    });
    return create(server, account, { object });
  },
  BODY_TOO_LARGE: createWith(tooLong),
  RATE_LIMITED: tooOften((server, account) => create(server, account, {})),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, object } = await file(server);
    return faults.unexpected('atomically', () => create(server, account, { object }));
  },
};

function list(server: TestServer, credential: string): Promise<TestAnswer> {
  return server.send('/v1/shares', { credential });
}

const listWith =
  (query: string): Provocation =>
  async ({ server }) =>
    server.send(`/v1/shares?${query}`, { credential: (await server.account()).credential });

export const listShares: PairsOf<'listShares'> = {
  INVALID_OBJECT: listWith('object=pub/204815162342108999/of-another-account.png'),
  INVALID_OBJECT_PREFIX: listWith('prefix=a%00b'),
  INVALID_LIMIT: listWith('limit=1001'),
  INVALID_CONTINUATION_TOKEN: listWith('cursor=made-up'),
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices'] });
    return server.send(`/v1/shares?object=${encodeURIComponent(`prv/${account.id}/photos/a.png`)}`, { credential });
  },
  ACCESS_DENIED: ({ server }) => list(server, 'cbk_unknown'),
  async MISSING_SCOPE({ server }) {
    return list(server, await server.key(await server.account(), { scopes: ['blob:write'] }));
  },
  RATE_LIMITED: tooOften((server, { credential }) => list(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('shares.listOf', () => list(server, credential));
  },
};

function files(server: TestServer, credential: string, id: string, more = ''): Promise<TestAnswer> {
  return server.send(`/v1/shares/files?id=${id}${more}`, { credential });
}

const filesWith =
  (more: string): Provocation =>
  async ({ server }) => {
    const account = await server.account();
    return files(server, account.credential, (await shareFile(server, account)).id, more);
  };

export const listShareFiles: PairsOf<'listShareFiles'> = {
  INVALID_SHARE: async ({ server }) => files(server, (await server.account()).credential, 'short'),
  INVALID_LIMIT: filesWith('&limit=1001'),
  INVALID_CONTINUATION_TOKEN: filesWith('&cursor=made-up'),
  ACCESS_DENIED: ({ server }) => files(server, 'cbk_unknown', unknown.id),
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const { id } = await shareFile(server, account);
    return files(server, await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices'] }), id);
  },
  async MISSING_SCOPE({ server }) {
    return files(server, await server.key(await server.account(), { scopes: ['blob:write'] }), unknown.id);
  },
  async SHARE_NOT_FOUND({ server }) {
    const { id } = await shareFile(server, await server.account());
    return files(server, (await server.account()).credential, id);
  },
  async BUNDLE_TOO_LARGE({ server }) {
    const { account, share } = await tooLarge(server);
    return files(server, account.credential, share.id);
  },
  RATE_LIMITED: tooOften((server, { credential }) => files(server, credential, unknown.id)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = await shareFile(server, account);
    return faults.unexpected('shares.find', () => files(server, account.credential, id));
  },
};

const unknown = { id: 'nosuchlinknosuchlink' };

function revoke(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/shares', { method: 'DELETE', credential, body: JSON.stringify(body) });
}

export const deleteShare: PairsOf<'deleteShare'> = {
  INVALID_BODY: async ({ server }) => revoke(server, (await server.account()).credential, 'a'),
  INVALID_SHARE: async ({ server }) => revoke(server, (await server.account()).credential, { id: 'short' }),
  ACCESS_DENIED: ({ server }) => revoke(server, 'cbk_unknown', unknown),
  async MISSING_SCOPE({ server }) {
    return revoke(server, await server.key(await server.account(), { scopes: ['blob:read'] }), unknown);
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const { id } = await shareFile(server, account);
    return revoke(server, await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] }), { id });
  },
  async SHARE_NOT_FOUND({ server }) {
    const { id } = await shareFile(server, await server.account());
    return revoke(server, (await server.account()).credential, { id });
  },
  BODY_TOO_LARGE: async ({ server }) => revoke(server, (await server.account()).credential, { ...unknown, ...tooLong }),
  RATE_LIMITED: tooOften((server, { credential }) => revoke(server, credential, unknown)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = await shareFile(server, account);
    return faults.unexpected('atomically', () => revoke(server, account.credential, { id }));
  },
};

/** A link to a file that is large enough for the blob store. */
async function link(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestShare> {
  return shareFile(server, await server.account(), { file: { bytes: someBytes(50_000) }, body });
}

/** An expired link. The file of a link with a password is requested in the same way. */
async function expired(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestShare> {
  const share = await link(server, { expires_in: 60, ...body });
  server.clock.advance(60_000);
  return share;
}

async function exhausted(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestShare> {
  const share = await link(server, { max_downloads: 1, ...body });
  await server.running.app.stores.metadata.atomically((tx) => tx.shares.spend(hashOf(server, share)));
  return share;
}

export const openShare: PairsOf<'openShare'> = {
  ...imagePairs(async (server, account, bytes) => {
    const { path } = await shareFile(server, account, { file: { bytes } });
    return { door: 'files', path };
  }),
  SHARE_NOT_FOUND: ({ server }) => openLink(server, { path: `/s/${unknown.id}` }),
  async OBJECT_NOT_FOUND({ server }) {
    const { path } = await folderLink(server, await server.account(), 'empty');
    return openLink(server, { path: `${path}?file=prv/missing.png` });
  },
  BUNDLE_EMPTY: async ({ server }) => openLink(server, await folderLink(server, await server.account(), 'empty')),
  BUNDLE_TOO_LARGE: async ({ server }) => openLink(server, (await tooLarge(server)).share),
  SHARE_PASSWORD_REQUIRED: async ({ server }) => openLink(server, await link(server, { password })),
  SHARE_EXHAUSTED: async ({ server }) => openLink(server, await exhausted(server)),
  SHARE_EXPIRED: async ({ server }) => openLink(server, await expired(server)),
  PRECONDITION_FAILED: async ({ server }) => openLink(server, await link(server), { 'If-Match': '"another"' }),
  RANGE_NOT_SATISFIABLE: async ({ server }) => openLink(server, await link(server), { Range: 'bytes=50000-' }),
  async RATE_LIMITED({ limited }) {
    const share = await link(limited);
    for (let request = 0; request < 120; request++) await openLink(limited, share, { Range: 'bytes=0-0' });
    return openLink(limited, share);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const share = await link(server);
    return faults.unavailable('blobs.open', () => openLink(server, share));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const share = await link(server, { max_downloads: 1 });
    return faults.unexpected('atomically', () => openLink(server, share));
  },
};

export const submitSharePassword: PairsOf<'submitSharePassword'> = {
  INVALID_BODY: async ({ server }) => pressDownload(server, await link(server), {}, { download: '2' }),
  async OBJECT_NOT_FOUND({ server }) {
    const share = await folderLink(server, await server.account(), 'empty');
    return pressDownload(server, share, {}, { file: 'prv/missing.png' });
  },
  BUNDLE_EMPTY: async ({ server }) => pressDownload(server, await folderLink(server, await server.account(), 'empty')),
  BUNDLE_TOO_LARGE: async ({ server }) => pressDownload(server, (await tooLarge(server)).share),
  SHARE_PASSWORD_REQUIRED: async ({ server }) =>
    givePassword(server, await link(server, { password }), 'wrong password'),
  INVALID_FORM_TOKEN: async ({ server }) =>
    givePassword(server, await link(server, { password }), password, { Origin: 'https://evil.example' }),
  BODY_TOO_LARGE: async ({ server }) => givePassword(server, await link(server, { password }), 'a'.repeat(1_048_576)),
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const share = await link(server, { password });
    return () => givePassword(server, share, password);
  }),
  SHARE_NOT_FOUND: ({ server }) => givePassword(server, { path: `/s/${unknown.id}` }, password),
  SHARE_EXHAUSTED: async ({ server }) => givePassword(server, await exhausted(server, { password }), password),
  SHARE_EXPIRED: async ({ server }) => givePassword(server, await expired(server, { password }), password),
  async RATE_LIMITED({ limited }) {
    const share = await link(limited, { password });
    // An address may send three wrong passwords at a link before it must wait.
    for (let attempt = 0; attempt < 3; attempt++) await givePassword(limited, share, 'wrong password');
    return givePassword(limited, share, password);
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const share = await link(server, { password });
    return faults.unexpected('objects.find', () => givePassword(server, share, password));
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const share = await link(server, { password });
    return faults.unavailable('objects.find', () => givePassword(server, share, password));
  },
};

function change(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/shares', { method: 'PATCH', credential, body: JSON.stringify(body) });
}

const changeWith =
  (body: Readonly<Record<string, unknown>>, plan?: Plan): Provocation =>
  async ({ server }) => {
    const { account, object } = await file(server, plan);
    const { id } = (await create(server, account, { object })).json().response;
    return change(server, account.credential, { id, ...body });
  };

export const updateShare: PairsOf<'updateShare'> = {
  INVALID_BODY: async ({ server }) => change(server, (await server.account()).credential, []),
  INVALID_SHARE: changeWith({ id: '../a', landing: true }),
  INVALID_EXPIRES_IN: changeWith({ expires_in: 59 }),
  INVALID_MAX_DOWNLOADS: changeWith({ max_downloads: 0 }),
  INVALID_PASSWORD: changeWith({ password: 'seven77' }),
  INVALID_LANDING: changeWith({ landing: 'yes' }),
  INVALID_SHARE_TITLE: changeWith({ title: 'a'.repeat(101) }),
  INVALID_SHARE_MESSAGE: changeWith({ message: '' }),
  NOTHING_TO_UPDATE: changeWith({}),
  UPGRADE_REQUIRED: changeWith({ password }, 'standard'),
  SHARE_NOT_FOUND: async ({ server }) =>
    change(server, (await server.account()).credential, { ...unknown, landing: true }),
  async TOO_MANY_SHARES({ server }) {
    const { account, object } = await file(server);
    const { metadata } = server.running.app.stores;
    const { id } = (await create(server, account, { object, max_downloads: 1 })).json().response;
    const share = (await storedShare(server, { id }))!;
    await metadata.atomically(async (tx) => {
      await tx.shares.spend(share.idHash);
      for (let at = 0; at < maxActiveShares; at++) await tx.shares.add({ ...share, idHash: `${id}-${at}` });
    });
    return change(server, account.credential, { id, max_downloads: 2 });
  },
  ACCESS_DENIED: ({ server }) => change(server, 'cbk_unknown', { ...unknown, landing: true }),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'] });
    return change(server, credential, { ...unknown, landing: true });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const { account, object } = await file(server);
    const { id } = (await create(server, account, { object })).json().response;
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return change(server, credential, { id, landing: true });
  },
  BODY_TOO_LARGE: changeWith(tooLong),
  RATE_LIMITED: tooOften((server, { credential }) => change(server, credential, { ...unknown, landing: true })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, object } = await file(server);
    const { id } = (await create(server, account, { object })).json().response;
    return faults.unexpected('atomically', () => change(server, account.credential, { id, landing: true }));
  },
};
