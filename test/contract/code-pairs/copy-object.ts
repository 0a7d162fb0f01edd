import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function copy(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/objects/copy', { method: 'POST', credential, body: JSON.stringify(body) });
}

/** Copies an existing file. `more` changes the request. */
function copyWith(more: object): Provocation {
  return async ({ server }) => {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return copy(server, account.credential, { source: id, destination: { name: 'twin' }, ...more });
  };
}

/** Copies a PNG of 3000 bytes under a prefix with this rule. */
async function copyUnder(server: TestServer, rule: object): Promise<TestAnswer> {
  const account = await server.account();
  await server.send('/v1/account/settings', {
    method: 'PUT',
    credential: account.credential,
    body: JSON.stringify({ rules: [{ prefix: 'ruled', ...rule }] }),
  });
  const { id } = (await upload(server, account, { bytes: someBytes(3000) })).json().response;
  return copy(server, account.credential, { source: id, destination: { name: 'twin', prefix: 'ruled' } });
}

export const copyObject: PairsOf<'copyObject'> = {
  async INVALID_BODY({ server }) {
    return copy(server, (await server.account()).credential, []);
  },
  INVALID_OBJECT: copyWith({ source: 'pub/204815162342108999/of-another-account.png' }),
  INVALID_DESTINATION: copyWith({ destination: 'twin' }),
  INVALID_OBJECT_NAME: copyWith({ destination: { name: 'a/b' } }),
  INVALID_OBJECT_PREFIX: copyWith({ destination: { name: 'twin', prefix: '../up' } }),
  INVALID_OBJECT_EXPIRE: copyWith({ destination: { name: 'twin', expire: 'soon' } }),
  INVALID_OBJECT_SECURITY_HASH: copyWith({ destination: { name: 'twin', private: true, security_hash: false } }),
  INVALID_MOVE: copyWith({ move: 'yes' }),
  INVALID_OVERWRITE: copyWith({ overwrite: 'yes' }),
  async BLOCKED_FILE_TYPE({ server }) {
    const account = await server.account();
    const { stores } = server.running.app;
    const open = async function* () {
      yield someBytes();
    };
    const owner = (await stores.metadata.read.accounts.find(account.id))!;
    await importLegacyFile(stores, {
      account: owner,
      key: 'README',
      sizeBytes: 3000,
      open,
      signal: new AbortController().signal,
    });
    return copy(server, account.credential, { source: `${account.id}/README`, destination: { name: 'twin.exe' } });
  },
  async FILE_TYPE_NOT_ALLOWED({ server }) {
    return copyUnder(server, { extensions: ['pdf'] });
  },
  async FILE_TOO_LARGE({ server }) {
    return copyUnder(server, { max_size: 2999 });
  },
  SAME_OBJECT: copyWith({ destination: { name: 'photo' } }),
  ACCESS_DENIED: ({ server }) => copy(server, 'cbk_unknown', {}),
  async PERMISSION_DENIED({ server }) {
    const account = await server.account('none');
    return copy(server, account.credential, { source: `pub/${account.id}/a.png`, destination: { name: 'twin' } });
  },
  async UPGRADE_REQUIRED({ server }) {
    const account = await server.account('pro');
    return copy(server, account.credential, {
      source: `pub/${account.id}/a.png`,
      destination: { name: 'twin', expire: '6h' },
    });
  },
  async STORAGE_QUOTA_EXCEEDED({ server }) {
    const account = await server.account();
    const { id } = (await upload(server, account, { bytes: someBytes(3000) })).json().response;
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 5999));
    return copy(server, account.credential, { source: id, destination: { name: 'twin' } });
  },
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return copy(server, await server.key(account, { scopes: ['blob:read'] }), {
      source: `pub/${account.id}/a.png`,
      destination: { name: 'twin' },
    });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return copy(server, credential, {
      source: `pub/${account.id}/invoices/a.png`,
      destination: { name: 'twin', prefix: 'photos' },
    });
  },
  async OBJECT_NOT_FOUND({ server }) {
    const account = await server.account();
    return copy(server, account.credential, { source: `pub/${account.id}/missing.png`, destination: { name: 'twin' } });
  },
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    await upload(server, account, { query: { name: 'twin' } });
    return copy(server, account.credential, { source: id, destination: { name: 'twin' } });
  },
  BODY_TOO_LARGE: copyWith({ padding: ' '.repeat(1_048_576) }),
  RATE_LIMITED: tooOften((server, { id, credential }) =>
    copy(server, credential, { source: `pub/${id}/missing.png`, destination: { name: 'twin' } }),
  ),
  async COPY_FAILED({ server, faults }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return faults.broken('atomically', () =>
      copy(server, account.credential, { source: id, destination: { name: 'twin' } }),
    );
  },
  async VISIBILITY_CHANGE_FAILED() {
    const hook = await startHookServer();
    hook.answer = (res) => res.writeHead(403).end();
    const server = await startTestServer({
      env: { CUBBY_PUBLIC_URL: 'https://cdn.example.com', CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/` },
    });
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return copy(server, account.credential, { source: id, destination: { name: 'twin', private: true }, move: true });
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return faults.unexpected('atomically', () =>
      copy(server, account.credential, { source: id, destination: { name: 'twin' } }),
    );
  },
};
