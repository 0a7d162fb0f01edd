import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { signedIn } from '#test/support/sessions.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';
import { signInOverHttp } from './sign-in-over-http.ts';

type Ask = (server: TestServer, credential: string) => Promise<TestAnswer>;

const start = (server: TestServer, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.send('/v1/sessions', { method: 'POST', headers, body: JSON.stringify(body) });

const who: Ask = (server, credential) => server.send('/v1/session', { credential });
const signOut: Ask = (server, credential) => server.send('/v1/session', { method: 'DELETE', credential });
const list: Ask = (server, credential) => server.send('/v1/sessions', { credential });
const revoke: Ask = (server, credential) => server.send('/v1/sessions/ses_unknown', { method: 'DELETE', credential });

const withUnknownKey =
  (ask: Ask): Provocation =>
  ({ server }) =>
    ask(server, 'cbk_unknown');

const withoutFullAccess =
  (ask: Ask): Provocation =>
  async ({ server }) =>
    ask(server, await server.key(await server.account(), { scopes: ['blob:read'] }));

const withKeyThatFails =
  (ask: Ask): Provocation =>
  async ({ server, faults }) => {
    const { credential } = await server.account();
    return faults.unexpected('apiKeys.findWithAccount', () => ask(server, credential));
  };

export const startSession: PairsOf<'startSession'> = {
  INVALID_BODY: ({ server }) => start(server, { api_key: 5 }),
  ACCESS_DENIED: ({ server }) => start(server, { api_key: 'cbk_unknown' }),
  CSRF_TOKEN_INVALID: ({ server }) => start(server, { api_key: 'cbk_unknown' }, { 'Sec-Fetch-Site': 'cross-site' }),
  HTTPS_REQUIRED: () =>
    signInOverHttp('api', '/v1/sessions', async (server) => ({ api_key: (await server.account()).credential })),
  async ACCOUNT_SUSPENDED({ server }) {
    const { id, credential } = await server.account();
    const suspend = `/v2/operator/accounts/${id}/suspend`;
    await server.send(suspend, { method: 'POST', door: 'operator', credential: await server.operatorKey() });
    return start(server, { api_key: credential });
  },
  BODY_TOO_LARGE: ({ server }) => start(server, { api_key: 'cbk_unknown', padding: ' '.repeat(1_048_576) }),
  async RATE_LIMITED({ limited }) {
    const headers = { 'X-Forwarded-For': '198.51.100.201' };
    for (let time = 0; time < 20; time++) await start(limited, { api_key: 5 }, headers);
    return start(limited, { api_key: 5 }, headers);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const { credential } = await server.account();
    return faults.unavailable('atomically', () => start(server, { api_key: credential }));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('atomically', () => start(server, { api_key: credential }));
  },
};

export const getSession: PairsOf<'getSession'> = {
  ACCESS_DENIED: withUnknownKey(who),
  RATE_LIMITED: tooOften((server, { credential }) => who(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { send } = await signedIn(server, (await server.account()).credential);
    return faults.unexpected('browserSessions.findByHash', () => send('/v1/session'));
  },
};

export const deleteSession: PairsOf<'deleteSession'> = {
  async SESSION_NOT_FOUND({ server }) {
    return signOut(server, (await server.account()).credential);
  },
  ACCESS_DENIED: withUnknownKey(signOut),
  RATE_LIMITED: tooOften((server, { credential }) => signOut(server, credential)),
  INTERNAL_SERVER_ERROR: withKeyThatFails(signOut),
};

export const listSessions: PairsOf<'listSessions'> = {
  ACCESS_DENIED: withUnknownKey(list),
  MISSING_SCOPE: withoutFullAccess(list),
  RATE_LIMITED: tooOften((server, { credential }) => list(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('browserSessions.liveOf', () => list(server, credential));
  },
};

export const revokeSession: PairsOf<'revokeSession'> = {
  async SESSION_NOT_FOUND({ server }) {
    const other = await signedIn(server, (await server.account()).credential);
    const { credential } = await server.account();
    return server.send(`/v1/sessions/${other.id}`, { method: 'DELETE', credential });
  },
  ACCESS_DENIED: withUnknownKey(revoke),
  MISSING_SCOPE: withoutFullAccess(revoke),
  RATE_LIMITED: tooOften((server, { credential }) => revoke(server, credential)),
  INTERNAL_SERVER_ERROR: withKeyThatFails(revoke),
};
