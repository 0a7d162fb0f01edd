import type { ActivityEntry, Actor } from '#server/domain/activity/activity.ts';
import type { ActivityTable } from '#server/domain/activity/table.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { json, mapped, nullable, record } from './columns.ts';
import { spaceColumn } from './objects.ts';
import { table, type Rows } from './rows.ts';

/** The row has one account, which is that of the object too. */
interface Row extends Omit<ActivityEntry, 'object'> {
  readonly place: Omit<ObjectAddress, 'accountId'> | null;
}

const row = record<Row>({
  accountId: 'account_id',
  sequence: 'sequence',
  type: 'type',
  at: 'at',
  place: nullable(record<Omit<ObjectAddress, 'accountId'>>({ space: spaceColumn, key: 'key' })),
  details: json('details'),
  actor: record<Actor>({ sourceIp: 'source_ip', userAgent: 'user_agent', auth: 'auth' }),
});

export const activity = table(
  'activity',
  mapped<ActivityEntry, Row>(
    row,
    ({ place, ...entry }) => ({ ...entry, object: place && { accountId: entry.accountId, ...place } }),
    ({ object, ...entry }) => ({ ...entry, place: object }),
  ),
);

/** The activity feed of accounts. */
export function activityTable(rows: Rows): ActivityTable {
  return {
    scan: async ({ accountId, before = Number.MAX_SAFE_INTEGER, limit }) =>
      rows.all(
        activity,
        'WHERE account_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
        accountId,
        before,
        limit,
      ),
    async add(entry, at) {
      const count =
        'UPDATE accounts SET activity_count = activity_count + 1 WHERE account_id = ? RETURNING activity_count';
      const sequence = await rows.value<number>(count, entry.accountId);
      if (sequence === undefined)
        throw new Error(`Activity cannot be recorded: there is no account ${entry.accountId}.`);
      await rows.insert(activity, { ...entry, sequence, at });
      return sequence;
    },
    async remove(accountId, sequence) {
      await rows.write('DELETE FROM activity WHERE account_id = ? AND sequence = ?', accountId, sequence);
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('activity', 'account_id, sequence', 'at < ? ORDER BY at', at, limit),
  };
}
