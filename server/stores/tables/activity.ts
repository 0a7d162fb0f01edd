import { frequentTypes, type ActivityEntry, type Actor } from '#server/domain/activity/activity.ts';
import type { ActivityFilter, ActivityScan, ActivityTable } from '#server/domain/activity/table.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { successor } from '#server/domain/successor.ts';
import { spaceColumn } from './address-columns.ts';
import { column, json, mapped, nullable, record } from './columns.ts';
import { forgetBefore } from './forget-before.ts';
import { table, type Rows, type SqlValue } from './rows.ts';

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
  actor: record<Actor>({
    sourceIp: 'source_ip',
    userAgent: 'user_agent',
    auth: 'auth',
    keyId: mapped(
      column<string | null>('by_key'),
      (id) => id ?? undefined,
      (id) => id ?? null,
    ),
  }),
});

export const activity = table(
  'activity',
  mapped<ActivityEntry, Row>(
    row,
    ({ place, ...entry }) => ({ ...entry, object: place && { accountId: entry.accountId, ...place } }),
    ({ object, ...entry }) => ({ ...entry, place: object }),
  ),
);

const places = table('activity', record<Pick<ActivityEntry, 'sequence' | 'at'>>({ sequence: 'sequence', at: 'at' }));

/** Conditions of a query, each with its values. */
type Conditions = ReadonlyArray<readonly [condition: string, ...values: SqlValue[]]>;

/**
 * The index of keys has blocks of sequences in place of sequences. Then many of its entries are equal, and PostgreSQL
 * keeps these in a tenth of the bytes.
 */
const sequencesInBlock = 256;
const block = `sequence / ${sequencesInBlock}`;
const blockOf = (sequence: number) => Math.floor(sequence / sequencesInBlock);

/** The condition of the partial index, without which no engine uses it. */
const isRare = `type NOT IN (${frequentTypes.map((type) => `'${type}'`).join(', ')})`;

/**
 * Returns the conditions of an account and of a filter apart from the prefix, and the order. They are written so that
 * both engines take the index of the key, or that of rare kinds, and else the primary key.
 */
function walked({ accountId, before = Number.MAX_SAFE_INTEGER, atLeast = 0, ...filter }: ActivityScan) {
  const { type, keyId, auth, from, to } = filter;
  const isOfRare = type !== undefined && !frequentTypes.includes(type);
  const conditions: Conditions = [
    isOfRare && keyId === undefined ? [`account_id || '' = ? AND ${isRare}`, accountId] : ['account_id = ?', accountId],
    keyId === undefined
      ? ['sequence < ? AND sequence >= ?', before, atLeast]
      : [
          // The sums keep the engines from taking the primary key.
          `by_key IS NOT NULL AND by_key = ? AND ${block} <= ? AND ${block} >= ?
             AND sequence + 0 < ? AND sequence + 0 >= ?`,
          ...[keyId, blockOf(before), blockOf(atLeast), before, atLeast],
        ],
    ...residual({ type, auth, from, to }),
  ];
  return { conditions, order: keyId === undefined ? 'sequence DESC' : `${block} DESC, sequence DESC` };
}

/** Returns the conditions that no index serves. */
function residual({ type, auth, from, to }: ActivityFilter): Conditions {
  return [
    ...(type === undefined ? [] : [['type = ?', type] as const]),
    ...(auth === undefined ? [] : [['auth = ?', auth] as const]),
    ...(from === undefined ? [] : [['at >= ?', from] as const]),
    ...(to === undefined ? [] : [['at < ?', to] as const]),
  ];
}

/** Returns the condition that a column begins with a text, as a range of an index. */
function beginsWith(name: string, prefix: string): readonly [string, ...SqlValue[]] {
  const end = successor(prefix);
  return end === undefined ? [`${name} >= ?`, prefix] : [`${name} >= ? AND ${name} < ?`, prefix, end];
}

function joined(conditions: Conditions): { readonly where: string; readonly values: readonly SqlValue[] } {
  return {
    where: conditions.map(([condition]) => condition).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** The activity feed of accounts. */
export function activityTable(rows: Rows): ActivityTable {
  return {
    async scan(scan) {
      const { prefix, limit } = scan;
      const { conditions, order } = walked(scan);
      const { where, values } = joined([
        ...conditions,
        // Not as a range, because the steps have to follow the sequence and not the index of files.
        ...(prefix === undefined
          ? []
          : [['substr(key, 1, CAST(? AS INTEGER)) = ?', [...prefix].length, prefix] as const]),
      ]);
      return rows.all(activity, `WHERE ${where} ORDER BY ${order} LIMIT ?`, ...values, limit);
    },
    async countBelow(accountId, prefix, most) {
      const { where, values } = joined([['account_id = ?', accountId], beginsWith('key', prefix)]);
      const count = `SELECT COUNT(*) FROM (SELECT 1 AS one FROM activity WHERE ${where} LIMIT ?) AS found`;
      return (await rows.value<number>(count, ...values, most))!;
    },
    async scanBelow(scan) {
      const { accountId, before = Number.MAX_SAFE_INTEGER, atLeast = 0, prefix, keyId, limit } = scan;
      const below = joined([['account_id = ?', accountId], beginsWith('key', prefix)]);
      const { where, values } = joined([
        ['account_id = ?', accountId],
        [`sequence IN (SELECT sequence FROM activity WHERE ${below.where})`, ...below.values],
        // As sums, so that no index serves them in place of that of files.
        ['sequence + 0 < ? AND sequence + 0 >= ?', before, atLeast],
        ...(keyId === undefined ? [] : [['by_key = ?', keyId] as const]),
        ...residual(scan),
      ]);
      return rows.all(activity, `WHERE ${where} ORDER BY sequence DESC LIMIT ?`, ...values, limit);
    },
    firstFrom: async (accountId, sequence) =>
      rows.one(places, 'WHERE account_id = ? AND sequence >= ? ORDER BY sequence LIMIT 1', accountId, sequence),
    newest: async (accountId) => rows.one(places, 'WHERE account_id = ? ORDER BY sequence DESC LIMIT 1', accountId),
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
    forgetBefore: async (at, limit) => forgetBefore(rows, 'activity', at, limit),
  };
}
