import type { HashedSecret } from '#server/domain/access/table.ts';
import type { OperatorKey } from '#server/domain/operator/operator-key.ts';
import type { OperatorKeysTable } from '#server/domain/operator/table.ts';
import { type Fields, record, snakeCase } from './columns.ts';
import { table, type Rows, where } from './rows.ts';

const fields: Fields<OperatorKey> = {
  id: 'operator_key_id',
  ...snakeCase('name', 'last4', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'),
};

const keys = table('operator_keys', record<OperatorKey>(fields));
const newKeys = table(
  'operator_keys',
  record<OperatorKey & HashedSecret>({ ...fields, hash: 'hash', keyNumber: 'master_key' }),
);

/** The keys of the operator's door. */
export function operatorKeysTable(rows: Rows): OperatorKeysTable {
  return {
    findByHash: async (hash) => rows.one(keys, where('hash'), hash),
    find: async (keyId) => rows.one(keys, where('operator_key_id'), keyId),
    list: async () => rows.all(keys, 'ORDER BY created_at, operator_key_id'),
    async add(key, hash, keyNumber = 1) {
      await rows.insert(newKeys, { ...key, hash, keyNumber });
    },
    async renewHash(keyId, former, { hash, keyNumber }) {
      const renew = 'UPDATE operator_keys SET hash = ?, master_key = ? WHERE operator_key_id = ? AND hash = ?';
      await rows.write(renew, hash, keyNumber, keyId, former);
    },
    async revoke(keyId, now) {
      await rows.write(
        'UPDATE operator_keys SET revoked_at = ? WHERE operator_key_id = ? AND revoked_at IS NULL',
        now,
        keyId,
      );
    },
    async noteUse(keyId, now) {
      await rows.write('UPDATE operator_keys SET last_used_at = ? WHERE operator_key_id = ?', now, keyId);
    },
  };
}
