import { upload } from '#test/support/files.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function remove(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify(body) });
}

function withBody(body: (accountId: string) => unknown): Provocation {
  return async ({ server }) => {
    const { id, credential } = await server.account();
    return remove(server, credential, body(id));
  };
}

/** Ids of this many missing files. */
function missing(accountId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `pub/${accountId}/missing-${index}.png`);
}

export const deleteObjects: PairsOf<'deleteObjects'> = {
  INVALID_BODY: withBody((id) => ({ object: `pub/${id}/a.png`, objects: [`pub/${id}/a.png`] })),
  INVALID_OBJECT: withBody(() => ({ object: 'pub/204815162342108999/of-another-account.png' })),
  INVALID_KEEP_DELETED: withBody((id) => ({ object: `pub/${id}/a.png`, keep_deleted_days: 366 })),
  TOO_MANY_OBJECTS: withBody((id) => ({ objects: missing(id, 101) })),
  OBJECT_NOT_FOUND: withBody((id) => ({ object: `pub/${id}/missing.png` })),
  BODY_TOO_LARGE: withBody((id) => ({ object: `pub/${id}/a.png`, padding: ' '.repeat(1_048_576) })),

  async DELETE_FAILED({ server, faults }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return faults.broken('atomically', () => remove(server, account.credential, { object: id }));
  },

  ACCESS_DENIED: ({ server }) => remove(server, 'cbk_unknown', { object: 'pub/204815162342108999/a.png' }),
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return remove(server, await server.key(account, { scopes: ['blob:read'] }), { object: `pub/${account.id}/a.png` });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return remove(server, credential, { object: `pub/${account.id}/photos/a.png` });
  },

  RATE_LIMITED: tooOften((server, { id, credential }) => remove(server, credential, { object: missing(id, 1)[0] })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return faults.unexpected('atomically', () => remove(server, account.credential, { object: id }));
  },
};
