import { upload } from '#test/support/files.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

function update(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/objects', { method: 'PATCH', credential, body: JSON.stringify(body) });
}

/** Requests these changes of an existing file. */
function change(changes: object): Provocation {
  return async ({ server }) => {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return update(server, account.credential, { object: id, ...changes });
  };
}

export const updateObjects: PairsOf<'updateObjects'> = {
  INVALID_BODY: change({ objects: ['pub/204815162342108999/a.png'], private: true }),
  async INVALID_OBJECT({ server }) {
    const { credential } = await server.account();
    return update(server, credential, { object: 'pub/204815162342108999/of-another-account.png', private: true });
  },
  async TOO_MANY_OBJECTS({ server }) {
    const { id, credential } = await server.account();
    return update(server, credential, { objects: Array.from({ length: 51 }, () => `pub/${id}/a.png`), private: true });
  },
  NOTHING_TO_UPDATE: change({}),
  INVALID_OBJECT_PRIVATE: change({ private: 'yes' }),
  INVALID_OBJECT_EXPIRE: change({ expire: 1826 }),
  INVALID_OBJECT_CACHE_CONTROL: change({ cache_control: 'max-age=59' }),
  INVALID_OBJECT_DISPOSITION: change({ disposition: 'show' }),
  INVALID_OBJECT_METADATA: change({ metadata: { 'cubby-x': '1' } }),
  INVALID_FILENAME: change({ original_name: '..' }),
  BLOCKED_FILE_TYPE: change({ original_name: 'setup.exe' }),
  ACCESS_DENIED: ({ server }) =>
    update(server, 'cbk_unknown', { object: 'pub/204815162342108999/a.png', private: true }),
  async UPGRADE_REQUIRED({ server }) {
    const account = await server.account('pro');
    const { id } = (await upload(server, account)).json().response;
    return update(server, account.credential, { object: id, expire: '6h' });
  },
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return update(server, await server.key(account, { scopes: ['blob:read'] }), {
      object: `pub/${account.id}/a.png`,
      private: true,
    });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return update(server, credential, { objects: [`pub/${account.id}/photos/a.png`], private: true });
  },
  BODY_TOO_LARGE: change({ padding: ' '.repeat(1_048_576) }),
  async RATE_LIMITED({ limited }) {
    const { id, credential } = await limited.account();
    await update(limited, credential, {
      objects: Array.from({ length: 50 }, (_, index) => `pub/${id}/${index}.png`),
      private: true,
    });
    return update(limited, credential, { object: `pub/${id}/a.png`, private: true });
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return faults.unexpected('atomically', () => update(server, account.credential, { object: id, private: true }));
  },
};
