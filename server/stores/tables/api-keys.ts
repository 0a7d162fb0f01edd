import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { ApiKeysTable, HashedSecret } from '#server/domain/access/table.ts';
import { type Fields, json, nullable, record, snakeCase } from './columns.ts';
import { accounts } from './accounts.ts';
import { table, type Rows, where } from './rows.ts';

const fields: Fields<ApiKey> = {
  id: 'key_id',
  ...snakeCase('accountId', 'name', 'last4'),
  scopes: json('scopes'),
  resources: nullable(json('resources')),
  prefixes: nullable(json('prefixes')),
  ai: nullable(json('ai_limits')),
  ...snakeCase('createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt', 's3Salt', 's3Check', 's3Sealed'),
};

export const keys = table('api_keys', record<ApiKey>(fields));
const newKeys = table('api_keys', record<ApiKey & HashedSecret>({ ...fields, hash: 'hash', keyNumber: 'master_key' }));

/** The live keys of an account, at an instant. */
const live = 'account_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

export function apiKeysTable(rows: Rows): ApiKeysTable {
  return {
    findByHash: async (hash) => rows.cached(keys, where('hash'), hash),
    async findWithAccount(hash) {
      const key = await rows.cached(keys, where('hash'), hash);
      const account = key && (await rows.cached(accounts, where('account_id'), key.accountId));
      return account && { key, account };
    },
    find: async (keyId) => rows.cached(keys, where('key_id'), keyId),
    findByS3Salt: async (s3Salt) => rows.cached(keys, where('s3_salt'), s3Salt),
    listOf: async (accountId) => rows.all(keys, 'WHERE account_id = ? ORDER BY created_at, key_id', accountId),
    liveOf: async (accountId, now) => rows.all(keys, `WHERE ${live} ORDER BY created_at, key_id`, accountId, now),
    countLive: async (accountId, now) =>
      (await rows.value<number>(`SELECT count(*) FROM api_keys WHERE ${live}`, accountId, now))!,
    withS3After: async (keyId, limit) =>
      rows.all(keys, 'WHERE key_id > ? AND s3_salt IS NOT NULL ORDER BY key_id LIMIT ?', keyId, limit),
    async add(key, hash, keyNumber = 1) {
      await rows.insert(newKeys, { ...key, hash, keyNumber });
    },
    async revoke(keyId, now) {
      await rows.write('UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL', now, keyId);
    },
    async replaceSecret(keyId, { hash, keyNumber, last4, expiresAt, s3Salt, s3Check, s3Sealed }) {
      const replace = `UPDATE api_keys SET hash = ?, master_key = ?, last4 = ?, expires_at = ?,
          s3_salt = ?, s3_check = ?, s3_sealed = ?
        WHERE key_id = ?`;
      await rows.write(replace, hash, keyNumber, last4, expiresAt, s3Salt, s3Check, s3Sealed, keyId);
    },
    async renewHash(keyId, former, { hash, keyNumber }) {
      const renew = 'UPDATE api_keys SET hash = ?, master_key = ? WHERE key_id = ? AND hash = ?';
      if ((await rows.run(renew, hash, keyNumber, keyId, former)) === 0) return;
      await rows.write('UPDATE sessions SET key_hash = ? WHERE key_hash = ?', hash, former);
    },
    async replaceS3Seed({ id, s3Salt, s3Check, s3Sealed }, seed) {
      const replace = `UPDATE api_keys SET s3_check = ?, s3_sealed = ? WHERE key_id = ? AND s3_salt = ?
        AND coalesce(s3_check, '') = ? AND coalesce(s3_sealed, '') = ?`;
      await rows.write(replace, seed.s3Check, seed.s3Sealed, id, s3Salt, s3Check ?? '', s3Sealed ?? '');
    },
    async setAiLimits(keyId, ai) {
      await rows.write(
        'UPDATE api_keys SET ai_limits = ? WHERE key_id = ?',
        ai === null ? null : JSON.stringify(ai),
        keyId,
      );
    },
    async noteUse(keyId, now) {
      await rows.write('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?', now, keyId);
    },
  };
}
