import { formWith, someBytes, upload } from '#test/support/files.ts';
import { tokenOf, uploadWith } from '#test/support/upload-tokens.ts';
import type { Plan } from '#server/domain/plan.ts';
import { heldUpload } from './held-bodies.ts';
import type { PairsOf, Provocation } from './provocation.ts';

/** Larger than the files in the database, so that it goes through the blob store. */
const blobSize = 50_000;

/** An upload with these wrong query parameters. */
function withQuery(query: Readonly<Record<string, string>>, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) => upload(server, await server.account(plan), { query });
}

function withFile(filename: string): Provocation {
  return async ({ server }) => upload(server, await server.account(), { filename });
}

export const uploadObject: PairsOf<'uploadObject'> = {
  INVALID_OBJECT_NAME: withQuery({ name: '../photo' }),
  INVALID_OBJECT_PREFIX: withQuery({ prefix: 'a//b' }),
  INVALID_OBJECT_EXPIRE: withQuery({ expire: '1y' }),
  INVALID_OBJECT_SECURITY_HASH: withQuery({ private: 'true', security_hash: 'false' }),
  INVALID_STORAGE_AUTO_DOWNLOAD: withQuery({ auto_download: 'yes' }),
  INVALID_OBJECT_PRIVATE: withQuery({ private: 'yes' }),
  INVALID_OVERWRITE: withQuery({ overwrite: 'never' }),
  INVALID_OBJECT_DISPOSITION: withQuery({ disposition: 'open' }),
  INVALID_OBJECT_CACHE_CONTROL: withQuery({ cache_control: 'max-age=59' }),
  INVALID_OBJECT_METADATA: withQuery({ metadata: '{"cubby-key":"reserved"}' }),
  INVALID_CHECKSUM: withQuery({ checksum_sha256: 'ABCDEF' }),

  async INVALID_FILE({ server }) {
    const { credential } = await server.account();
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const body = `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${'x'.repeat(600)}\r\n--b--\r\n`;
    return server.send('/v1/objects?name=photo', { method: 'POST', credential, headers, body });
  },
  INVALID_FILE_TYPE: withFile('photo.p!g'),
  BLOCKED_FILE_TYPE: withFile('setup.exe'),
  async FILE_TOO_SMALL({ server }) {
    return upload(server, await server.account(), { bytes: someBytes(511) });
  },
  CHECKSUM_MISMATCH: withQuery({ checksum_sha256: '0'.repeat(64) }),

  ACCESS_DENIED: ({ server }) => server.send('/v1/objects?name=photo', { method: 'POST', body: formWith(someBytes()) }),
  PERMISSION_DENIED: withQuery({}, 'none'),
  async UPLOAD_TOKEN_USED({ server }) {
    const token = await tokenOf(server, await server.account());
    await uploadWith(server, token);
    return uploadWith(server, token);
  },

  async STORAGE_QUOTA_EXCEEDED({ server }) {
    const account = await server.account();
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 60_000));
    await upload(server, account, { bytes: someBytes(blobSize) });
    return upload(server, account, { bytes: someBytes(blobSize), query: { name: 'second' } });
  },
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return upload(server, { ...account, credential: await server.key(account, { scopes: ['blob:read'] }) });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return upload(server, { ...account, credential }, { query: { prefix: 'photos' } });
  },
  async ORIGIN_NOT_ALLOWED({ server }) {
    const token = await tokenOf(server, await server.account(), { allowed_origins: ['https://app.example'] });
    return uploadWith(server, token, {}, { Origin: 'https://evil.example' });
  },
  UPGRADE_REQUIRED: withQuery({ metadata: '{"camera":"x100"}' }, 'hobby'),

  async INVALID_CONTENT_TYPE({ server }) {
    const { credential } = await server.account();
    return server.send('/v1/objects?name=photo', { method: 'POST', credential, body: '{"file":"photo.png"}' });
  },
  async FILE_TYPE_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const body = JSON.stringify({ rules: [{ prefix: 'invoices', extensions: ['pdf'] }] });
    await server.send('/v1/account/settings', { method: 'PUT', credential: account.credential, body });
    return upload(server, account, { query: { prefix: 'invoices' } });
  },
  async OBJECT_ALREADY_EXISTS({ server }) {
    const account = await server.account();
    await upload(server, account);
    return upload(server, account, { query: { overwrite: 'false' } });
  },
  // test/contract/bad-input/upload-size.long.test.ts sends 100 MB and a byte.
  async FILE_TOO_LARGE({ server }) {
    return uploadWith(server, await tokenOf(server, await server.account(), { max_size: 1000 }), {
      bytes: someBytes(1001),
    });
  },

  async RATE_LIMITED({ limited }) {
    const account = await limited.account('hobby');
    await upload(limited, account);
    return upload(limited, account);
  },
  async TOO_MANY_CONCURRENT_UPLOADS(context) {
    const { limited } = context;
    const account = await limited.account();
    const over = new AbortController();
    const held = Array.from({ length: 5 }, () => heldUpload(context, account.credential, over.signal));
    // Four requests wait for the rest of their bytes, so one of the five is answered.
    const answer = await Promise.race(held);
    over.abort();
    await Promise.allSettled(held);
    return answer;
  },

  INSUFFICIENT_STORAGE: async ({ full }) => upload(full, await full.account()),
  async UPLOAD_FAILED({ server, faults }) {
    const account = await server.account();
    return faults.broken('blobs.put', () => upload(server, account, { bytes: someBytes(blobSize) }));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    return faults.unexpected('blobs.put', () => upload(server, account, { bytes: someBytes(blobSize) }));
  },
};
