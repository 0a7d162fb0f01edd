import { spaces } from '#server/domain/object-id.ts';
import type { StoredObject } from '../object.ts';
import { successor } from '#server/domain/successor.ts';
import type { Removal, TrashedObject, TrashedVersion, TrashTable, YieldingVersion } from '../trash-table.ts';
import { mapped, record, snakeCase } from '#server/stores/tables/columns.ts';
import { objectColumns } from './object-columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

interface TrashRow {
  readonly object: StoredObject;
  readonly removal: Removal;
}

const trash = table(
  'trash',
  mapped<TrashedObject, TrashRow>(
    record<TrashRow>({
      object: objectColumns,
      removal: record<Removal>({
        ...snakeCase('deletedAt', 'purgeAt', 'ruleUntil', 'requestedUntil', 'reason', 'deletingJobId'),
      }),
    }),
    ({ object, removal }) => ({ ...object, ...removal }),
    (version) => ({ object: version, removal: version }),
  ),
);

const versions = table('trash', record<TrashedVersion>({ accountId: 'account_id', versionId: 'version_id' }));

const yieldingVersions = table(
  'trash',
  record<YieldingVersion>({ ...snakeCase('accountId', 'versionId', 'key', 'sizeBytes', 'deletedAt') }),
);

const which = where('account_id', 'version_id');

/** Versions of a key that a rule keeps. */
const ofKey = 'WHERE account_id = ? AND space = ? AND key = ? AND rule_until > ?';

/** Deleted and replaced files, and what they add up to in the row of their account. */
export function trashTable(rows: Rows): TrashTable {
  const count = async (accountId: string, bytes: number, files: number): Promise<void> =>
    rows.write(
      'UPDATE accounts SET trash_bytes = trash_bytes + ?, trash_objects = trash_objects + ? WHERE account_id = ?',
      ...[bytes, files, accountId],
    );

  return {
    find: async (accountId, versionId) => rows.one(trash, which, accountId, versionId),
    async scan({ accountId, space, prefix, behind, limit }) {
      const end = successor(prefix);
      const conditions = [
        'account_id = ? AND space = ? AND key >= ?',
        ...(end === undefined ? [] : ['key < ?']),
        ...(behind ? ['(key > ? OR version_id < ?)'] : []),
      ];
      const isInside = behind !== undefined && Buffer.compare(Buffer.from(behind.key), Buffer.from(prefix)) >= 0;
      return rows.all(
        trash,
        `WHERE ${conditions.join(' AND ')} ORDER BY key, version_id DESC LIMIT ?`,
        accountId,
        spaces.indexOf(space),
        isInside ? behind.key : prefix,
        ...(end === undefined ? [] : [end]),
        ...(behind ? [behind.key, behind.versionId] : []),
        limit,
      );
    },
    newest: async ({ accountId, space, key }) =>
      rows.one(
        trash,
        'WHERE account_id = ? AND space = ? AND key = ? ORDER BY version_id DESC LIMIT 1',
        ...[accountId, spaces.indexOf(space), key],
      ),
    beyond: async ({ accountId, space, key }, kept, now, limit) =>
      rows.all(
        trash,
        `${ofKey} AND version_id <= (SELECT version_id FROM trash ${ofKey} ORDER BY version_id DESC LIMIT 1 OFFSET ?)
         ORDER BY version_id LIMIT ?`,
        ...[accountId, spaces.indexOf(space), key, now],
        ...[accountId, spaces.indexOf(space), key, now, kept, limit],
      ),
    yielding: async ({ accountId, now, behind, limit }) =>
      rows.all(
        yieldingVersions,
        `WHERE account_id = ? AND requested_until IS NOT NULL AND (rule_until IS NULL OR rule_until <= ?)
         ${behind ? 'AND (deleted_at, version_id) > (?, ?)' : ''} ORDER BY deleted_at, version_id LIMIT ?`,
        ...[accountId, now, ...(behind ? [behind.deletedAt, behind.versionId] : []), limit],
      ),
    due: async (now, limit) => rows.all(versions, 'WHERE purge_at <= ? ORDER BY purge_at LIMIT ?', now, limit),
    someOf: async (accountId, limit) => rows.all(versions, 'WHERE account_id = ? LIMIT ?', accountId, limit),
    async add(object) {
      await rows.insert(trash, object);
      await count(object.accountId, object.sizeBytes, 1);
    },
    async remove(accountId, versionId) {
      const removed = await rows.change(trash, `DELETE FROM trash ${which.text}`, accountId, versionId);
      if (removed) await count(accountId, -removed.sizeBytes, -1);
      return removed;
    },
    async endRule(accountId, versionId) {
      await rows.write(
        `UPDATE trash SET rule_until = NULL, purge_at = requested_until ${which.text}`,
        ...[accountId, versionId],
      );
    },
    async setReason(accountId, versionId, reason) {
      await rows.write(`UPDATE trash SET reason = ? ${which.text}`, reason, accountId, versionId);
    },
  };
}
