import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

/** An id without a key. */
const missing = 'aaaaaaaaaaaaaaaaaaaaaaaaaa';

function list(server: TestServer, credential?: string): Promise<TestAnswer> {
  return server.send('/v1/account/keys', { ...(credential !== undefined && { credential }) });
}

function create(
  server: TestServer,
  credential: string,
  body: unknown = { name: 'Website', scopes: ['blob:read'] },
): Promise<TestAnswer> {
  return server.send('/v1/account/keys', { method: 'POST', credential, body: JSON.stringify(body) });
}

function revoke(server: TestServer, credential: string, id = missing): Promise<TestAnswer> {
  return server.send(`/v1/account/keys/${id}`, { method: 'DELETE', credential });
}

function regenerate(server: TestServer, credential: string, id = missing): Promise<TestAnswer> {
  return server.send(`/v1/account/keys/${id}/regenerate`, { method: 'POST', credential });
}

function update(
  server: TestServer,
  credential: string,
  id = missing,
  body: unknown = { ai: { requests_per_day: 1 } },
): Promise<TestAnswer> {
  return server.send(`/v1/account/keys/${id}`, { method: 'PATCH', credential, body: JSON.stringify(body) });
}

type Ask = (server: TestServer, credential: string) => Promise<TestAnswer>;

const withUnknownKey =
  (ask: Ask): Provocation =>
  ({ server }) =>
    ask(server, 'cbk_unknown');

/** All other scopes together are not `*`. */
const withoutFullAccess =
  (ask: Ask): Provocation =>
  async ({ server }) =>
    ask(
      server,
      await server.key(await server.account(), {
        scopes: ['account:read', 'blob:read', 'blob:write', 'workspaces:manage'],
      }),
    );

const whileWritesBreak =
  (ask: Ask): Provocation =>
  async ({ server, faults }) => {
    const { credential } = await server.account();
    // The first use of a key is written as well.
    await list(server, credential);
    return faults.unexpected('atomically', () => ask(server, credential));
  };

const withBody =
  (body: unknown): Provocation =>
  async ({ server }) =>
    create(server, (await server.account()).credential, body);

export const listKeys: PairsOf<'listKeys'> = {
  ACCESS_DENIED: ({ server }) => list(server),
  MISSING_SCOPE: withoutFullAccess(list),
  RATE_LIMITED: tooOften((server, { credential }) => list(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('apiKeys.liveOf', () => list(server, credential));
  },
};

export const createKey: PairsOf<'createKey'> = {
  INVALID_BODY: withBody([]),
  INVALID_KEY_NAME: withBody({ name: ' ', scopes: ['blob:read'] }),
  INVALID_SCOPES: withBody({ name: 'Website', scopes: ['*', 'blob:read'] }),
  INVALID_RESOURCES: withBody({ name: 'Website', scopes: ['apps:read'], resources: [] }),
  INVALID_PREFIXES: withBody({ name: 'Website', scopes: ['blob:read'], prefixes: ['../invoices'] }),
  INVALID_AI_LIMITS: withBody({ name: 'Website', scopes: ['ai:chat'], ai: {} }),
  INVALID_EXPIRES_IN: withBody({ name: 'Website', scopes: ['blob:read'], expires_in: '2000d' }),
  CONFLICTING_RESOURCES: withBody({ name: 'Website', scopes: ['apps:read', 'blob:read'], resources: ['app_1'] }),
  async APIKEY_LIMIT_REACHED({ server }) {
    const { credential } = await server.account();
    for (let key = 1; key < 10; key++) await create(server, credential);
    return create(server, credential);
  },
  ACCESS_DENIED: withUnknownKey(create),
  MISSING_SCOPE: withoutFullAccess(create),
  BODY_TOO_LARGE: withBody({ name: 'Website', scopes: ['blob:read'], padding: ' '.repeat(1_048_576) }),
  RATE_LIMITED: tooOften((server, { credential }) => create(server, credential)),
  INTERNAL_SERVER_ERROR: whileWritesBreak(create),
};

export const revokeKey: PairsOf<'revokeKey'> = {
  async APIKEY_NOT_FOUND({ server }) {
    const [mine, theirs] = [await server.account(), await server.account()];
    return revoke(server, mine.credential, theirs.keyId);
  },
  ACCESS_DENIED: withUnknownKey(revoke),
  MISSING_SCOPE: withoutFullAccess(revoke),
  RATE_LIMITED: tooOften((server, { credential }) => revoke(server, credential)),
  INTERNAL_SERVER_ERROR: whileWritesBreak(revoke),
};

export const regenerateKey: PairsOf<'regenerateKey'> = {
  async APIKEY_NOT_FOUND({ server }) {
    const [mine, theirs] = [await server.account(), await server.account()];
    return regenerate(server, mine.credential, theirs.keyId);
  },
  ACCESS_DENIED: withUnknownKey(regenerate),
  MISSING_SCOPE: withoutFullAccess(regenerate),
  RATE_LIMITED: tooOften((server, { credential }) => regenerate(server, credential)),
  INTERNAL_SERVER_ERROR: whileWritesBreak(regenerate),
};

const updateWith =
  (body: unknown): Provocation =>
  async ({ server }) => {
    const { credential, keyId } = await server.account();
    return update(server, credential, keyId, body);
  };

export const updateKey: PairsOf<'updateKey'> = {
  INVALID_BODY: updateWith([]),
  INVALID_AI_LIMITS: updateWith({ ai: { models: [] } }),
  BODY_TOO_LARGE: updateWith({ ai: null, padding: ' '.repeat(1_048_576) }),
  async APIKEY_NOT_FOUND({ server }) {
    const [mine, theirs] = [await server.account(), await server.account()];
    return update(server, mine.credential, theirs.keyId);
  },
  ACCESS_DENIED: withUnknownKey(update),
  MISSING_SCOPE: withoutFullAccess(update),
  RATE_LIMITED: tooOften((server, { credential }) => update(server, credential)),
  INTERNAL_SERVER_ERROR: whileWritesBreak(update),
};
