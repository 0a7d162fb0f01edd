import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import type { FormerKey, MasterKeysTable } from '#server/domain/master-key/table.ts';
import { record, snakeCase } from './columns.ts';
import { table, type Rows } from './rows.ts';

export const rotations = table(
  'master_key_rotations',
  record<MasterKeyRotation>({
    number: 'number',
    check: 'check_value',
    ...snakeCase(
      'formerCheck',
      'beganAt',
      'inForceAt',
      'signsUntil',
      'findsUntil',
      'resealedAt',
      'endedAt',
      'sealedKey',
      'sealedFormer',
    ),
  }),
  'number',
);

const newestFirst = 'ORDER BY number DESC LIMIT 1';

/** Ends every rotation, for a database whose master key is lost. Parameter: now. */
export const endRotations =
  `UPDATE ${rotations.name} SET ended_at = coalesce(ended_at, CAST(? AS BIGINT)), sealed_key = NULL, ` +
  'sealed_former = NULL';

const addCheck = 'INSERT INTO master_key_check (one, value) VALUES (1, ?) ON CONFLICT (one) DO';

/** Stores a check value unless there is one. If two processes start at once, it is the first's. */
export const keepCheck = `${addCheck} NOTHING`;

export const replaceCheck = `${addCheck} UPDATE SET value = excluded.value`;

const formerKeys = table(
  'api_keys',
  record<FormerKey>({
    id: 'key_id',
    ...snakeCase('accountId', 'name', 'lastUsedAt', 'last4'),
  }),
);

/** Live keys whose hash is under an older master key. Parameters: its number, now. */
const former = 'master_key < ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

/** Rotations of the master key. */
export function masterKeysTable(rows: Rows): MasterKeysTable {
  const count = async (name: string, number: number, now: number) =>
    (await rows.value<number>(`SELECT count(*) FROM ${name} WHERE ${former}`, number, now))!;
  return {
    lastRotation: async () => rows.one(rotations, newestFirst),
    check: async () => (await rows.value<string>('SELECT value FROM master_key_check'))!,
    formerApiKeys: async (number, now, limit) =>
      rows.all(
        formerKeys,
        `WHERE ${former} ORDER BY coalesce(last_used_at, 0) DESC, key_id LIMIT ?`,
        number,
        now,
        limit,
      ),
    countFormer: async (number, now) => ({
      apiKeys: await count('api_keys', number, now),
      operatorKeys: await count('operator_keys', number, now),
    }),
    async put(rotation) {
      await rows.put(rotations, rotation);
    },
    async replaceCheck(check) {
      await rows.write(replaceCheck, check);
    },
  };
}
