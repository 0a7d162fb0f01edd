import { upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

const missing = '3aekqbzcr5v7mkq2n4x6w3z3b';

type Ask = (server: TestServer, credential: string, body?: unknown) => Promise<TestAnswer>;

const asking =
  (method: string, path: string): Ask =>
  (server, credential, body = { version: missing }) =>
    server.send(path, { method, credential, body: JSON.stringify(body) });

const restore = asking('POST', '/v1/trash/restore');
const purge = asking('DELETE', '/v1/trash');

const withBody =
  (ask: Ask, body?: unknown): Provocation =>
  async ({ server }) =>
    ask(server, (await server.account()).credential, body);

/** Makes an account whose trash keeps a file of `kept/`. Returns its version too. */
async function withTrash(server: TestServer): Promise<TestAccount & { readonly version: string }> {
  const account = await server.account();
  const { credential } = account;
  const rules = JSON.stringify({ rules: [{ prefix: 'kept', keep_deleted_days: 30 }] });
  await server.send('/v1/account/settings', { method: 'PUT', credential, body: rules });
  const { id } = (await upload(server, account, { query: { prefix: 'kept' } })).json().response;
  await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: id }) });
  const { versions } = (await server.send('/v1/trash', { credential })).json().response;
  return { ...account, version: versions[0].version };
}

/** The codes of both operations that change the trash. */
function common(ask: Ask) {
  return {
    INVALID_BODY: withBody(ask, {}),
    INVALID_VERSION: withBody(ask, { version: 'Ä' }),
    TOO_MANY_VERSIONS: withBody(ask, { versions: Array.from({ length: 101 }, () => missing) }),
    VERSION_NOT_FOUND: withBody(ask),
    BODY_TOO_LARGE: withBody(ask, { version: missing, padding: ' '.repeat(1_048_576) }),
    ACCESS_DENIED: ({ server }) => ask(server, 'cbk_unknown'),
    MISSING_SCOPE: async ({ server }) =>
      ask(server, await server.key(await server.account(), { scopes: ['blob:read'] })),
    RATE_LIMITED: tooOften((server, { credential }) => ask(server, credential)),
    async INTERNAL_SERVER_ERROR({ server, faults }) {
      const { credential, version } = await withTrash(server);
      return faults.unexpected('atomically', () => ask(server, credential, { version }));
    },
  } satisfies Partial<Record<string, Provocation>>;
}

export const restoreTrash: PairsOf<'restoreTrash'> = {
  ...common(restore),
  INVALID_OVERWRITE: withBody(restore, { version: missing, overwrite: 'yes' }),
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await withTrash(server);
    await upload(server, account, { query: { prefix: 'kept' } });
    return restore(server, account.credential, { version: account.version });
  },
  async RESTORE_FAILED({ server, faults }) {
    const { credential, version } = await withTrash(server);
    return faults.broken('atomically', () => restore(server, credential, { version }));
  },
};

export const deleteTrash: PairsOf<'deleteTrash'> = {
  ...common(purge),
  async VERSION_KEPT({ server }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    const body = JSON.stringify({ object: id, keep_deleted_days: 30 });
    const deleted = await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body });
    const [{ version }] = deleted.json().response.kept;
    return purge(server, await server.key(account, { scopes: ['blob:write'] }), { version });
  },
  async PURGE_FAILED({ server, faults }) {
    const { credential, version } = await withTrash(server);
    return faults.broken('atomically', () => purge(server, credential, { version }));
  },
};

function withQuery(query: string): Provocation {
  return async ({ server }) => server.send(`/v1/trash?${query}`, { credential: (await server.account()).credential });
}

export const listTrash: PairsOf<'listTrash'> = {
  INVALID_OBJECT_PREFIX: withQuery('prefix=a%00b'),
  INVALID_LIMIT: withQuery('limit=1001'),
  INVALID_CONTINUATION_TOKEN: withQuery('continuationToken=made-up'),
  async PREFIX_REQUIRED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'], prefixes: ['invoices'] });
    return server.send('/v1/trash', { credential });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'], prefixes: ['invoices'] });
    return server.send('/v1/trash?prefix=photos/', { credential });
  },
  async LIST_FAILED({ server, faults }) {
    const { credential } = await server.account();
    return faults.broken('trash.scan', () => server.send('/v1/trash', { credential }));
  },
  ACCESS_DENIED: ({ server }) => server.send('/v1/trash'),
  MISSING_SCOPE: async ({ server }) =>
    server.send('/v1/trash', { credential: await server.key(await server.account(), { scopes: ['blob:write'] }) }),
  RATE_LIMITED: tooOften((server, { credential }) => server.send('/v1/trash', { credential })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('trash.scan', () => server.send('/v1/trash', { credential }));
  },
};
