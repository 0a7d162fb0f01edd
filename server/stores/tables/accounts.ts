import type { Account } from '#server/domain/account/account.ts';
import type { AccountsTable, AccountSums } from '#server/domain/account/table.ts';
import {
  firstKeptDay,
  startOfDay,
  sumOfDay,
  unsettledDays,
  type MeteredUsage,
  type UsageOfDay,
} from '#server/domain/account/usage-days.ts';
import { beyondQuota } from '#server/domain/account/quota.ts';
import { column, type Fields, json, mapped, nullable, record, snakeCase } from './columns.ts';
import { isClosed } from '#server/domain/account/closed-account.ts';
import { table, type Rows, type TableContext, where } from './rows.ts';

type NewAccount = Pick<Account, 'id' | 'name' | 'plan' | 'createdAt'>;
type Settled = Omit<MeteredUsage, 'days'>;

const newFields: Fields<NewAccount> = { id: 'account_id', name: 'name', plan: 'plan', createdAt: 'created_at' };

export const accounts = table(
  'accounts',
  record<Account>({
    ...newFields,
    ...snakeCase('quotaBytes', 'aiTokensPerDay', 'usedBytes', 'usedObjects', 'reservedBytes'),
    inFlightBytes: 'flowing_bytes',
    aiLimits: nullable(json('ai_limits')),
    ...snakeCase('suspendedAt', 'deletedAt', 'keepDeletedDays', 'revision'),
  }),
);

/** CAST, because PostgreSQL's sum of BIGINT is a NUMERIC. */
const sums = table(
  `(SELECT COUNT(*) AS accounts, CAST(COALESCE(SUM(used_objects), 0) AS BIGINT) AS files,
    CAST(COALESCE(SUM(used_bytes), 0) AS BIGINT) AS bytes,
    CAST(COALESCE(SUM(reserved_bytes), 0) AS BIGINT) AS reserved_bytes FROM accounts) AS sums`,
  record<AccountSums>({ accounts: 'accounts', files: 'files', bytes: 'bytes', reservedBytes: 'reserved_bytes' }),
);

const newAccounts = table(
  'accounts',
  record<NewAccount & Pick<Settled, 'settledAt'>>({ ...newFields, settledAt: 'settled_at' }),
);

const settled = record<Settled>({
  ...snakeCase('usedBytes', 'usedObjects', 'trashBytes', 'trashObjects', 'createdAt', 'settledAt'),
});

/** Returns a pattern of LIKE for texts that contain another one. */
function containing(text: string): string {
  return `%${lowerCase(text).replace(/[\\%_]/g, '\\$&')}%`;
}

/** As `lower()` of both engines does it: English letters alone. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const settledAccounts = table('accounts', settled);

const dayFields: Fields<UsageOfDay> = {
  day: 'day',
  byteMs: mapped(column<string>('byte_ms'), BigInt, String),
  objectMs: mapped(column<string>('object_ms'), BigInt, String),
};

const usageDays = table(
  'usage_days',
  record<UsageOfDay & { accountId: string }>({ accountId: 'account_id', ...dayFields }),
  'account_id, day',
);

/** A row for each day, or one row without a day when there is none. */
const metered = table(
  'accounts',
  record<{ usage: Settled; day: UsageOfDay | null }>({
    usage: settled,
    day: nullable(record<UsageOfDay>(dayFields)),
  }),
);

/**
 * Reserves bytes of an account's quota. Returns whether they fitted. One conditional update, so that parallel uploads
 * can never pass the quota together. The sums are explained in domain/account/quota.ts.
 */
export async function takeReserved(
  rows: Rows,
  accountId: string,
  sizeBytes: number,
  quotaBytes: number,
): Promise<boolean> {
  const changes = await rows.run(
    `UPDATE accounts SET reserved_bytes = reserved_bytes + :size
     WHERE account_id = :account AND used_bytes + reserved_bytes + :size <= :quota
       AND used_bytes + reserved_bytes + flowing_bytes + :size <= CAST(:quota AS BIGINT) + :beyond`,
    { size: sizeBytes, account: accountId, quota: quotaBytes, beyond: beyondQuota(quotaBytes) },
  );
  return changes === 1;
}

/** The accounts themselves. What belongs to them is in `account-rows.ts`. */
export function accountsTable(
  rows: Rows,
  context: Pick<TableContext, 'now' | 'usageNow'>,
): Omit<AccountsTable, 'removeSome'> {
  /** Sets one column. Returns whether there is such an account. */
  const set = async (column: string, accountId: string, value: string | number | null) =>
    (await rows.run(`UPDATE accounts SET ${column} = ? WHERE account_id = ?`, value, accountId)) === 1;

  const usageNow = () => context.usageNow?.() ?? context.now;

  // Parts of a transaction that go on at the same time wait for the first one that settles, and do not settle again.
  const settling = new Map<string, Promise<void>>();

  return {
    ...accountReads(rows),
    async setSuspended(accountId, at) {
      await set('suspended_at', accountId, at);
    },
    async setDeleted(accountId, at) {
      await set('deleted_at', accountId, at);
    },
    async remove(accountId) {
      await rows.write('DELETE FROM accounts WHERE account_id = ?', accountId);
    },
    async add(account) {
      await rows.insert(newAccounts, { ...account, settledAt: account.createdAt });
    },
    setPlan: async (accountId, plan) => set('plan', accountId, plan),
    setQuota: async (accountId, quotaBytes) => set('quota_bytes', accountId, quotaBytes),
    setAiBudget: async (accountId, tokensPerDay) => set('ai_tokens_per_day', accountId, tokensPerDay),
    setAiLimits: async (accountId, limits) => set('ai_limits', accountId, limits && JSON.stringify(limits)),
    async setKeepDeletedDays(accountId, days) {
      await set('keep_deleted_days', accountId, days);
    },
    reserve: async (accountId, bytes, quotaBytes) => takeReserved(rows, accountId, bytes, quotaBytes),
    async unreserve(accountId, bytes) {
      await rows.write(
        'UPDATE accounts SET reserved_bytes = reserved_bytes - ? WHERE account_id = ?',
        bytes,
        accountId,
      );
    },
    async addUsage(accountId, { bytes, objects }) {
      const now = usageNow();
      const add = async (condition = '', ...values: number[]) =>
        (await rows.run(
          `UPDATE accounts
           SET used_bytes = used_bytes + ?, used_objects = used_objects + ?, revision = revision + 1, settled_at = ?
           WHERE account_id = ? ${condition}`,
          ...[bytes, objects, now, accountId, ...values],
        )) === 1;
      // The transactions of one commit have the same instant, so only the first of them has usage to settle.
      if (await add('AND settled_at = ?', now)) return;
      const former = settling.get(accountId);
      const own = former ?? settleUsage(rows, accountId, now);
      settling.set(accountId, own);
      await own;
      await add();
    },
  };
}

function accountReads(rows: Rows) {
  return {
    find: async (accountId) => rows.cached(accounts, where('account_id'), accountId),
    list: async () => rows.all(accounts, 'ORDER BY created_at, account_id'),
    sums: async () => (await rows.one(sums))!,
    async page({ after = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }, search, limit }) {
      const from = '(created_at, account_id) > (?, ?)';
      const order = 'ORDER BY created_at, account_id LIMIT ?';
      if (search === undefined) return rows.all(accounts, `WHERE ${from} ${order}`, after.createdAt, after.id, limit);
      const [named, numbered] = [containing(search), containing(search).slice(1)];
      return rows.all(
        accounts,
        `WHERE ${from} AND (lower(name) LIKE ? ESCAPE '\\' OR account_id LIKE ? ESCAPE '\\') ${order}`,
        ...[after.createdAt, after.id, named, numbered, limit],
      );
    },
    async isClosed(accountId) {
      const account = await rows.cached(accounts, where('account_id'), accountId);
      return !account || isClosed(account);
    },
    deletedBefore: async (at, limit) =>
      rows.all(accounts, 'WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?', at, limit),
    async usageOf(accountId, since) {
      // One statement, so that the days and the current usage belong together.
      const found = await rows.all(
        metered,
        `LEFT JOIN usage_days ON usage_days.account_id = accounts.account_id AND day >= ?
         WHERE accounts.account_id = ? ORDER BY day`,
        since,
        accountId,
      );
      return found[0] && { ...found[0].usage, days: found.flatMap(({ day }) => day ?? []) };
    },
  } satisfies Partial<AccountsTable>;
}

/** Adds the usage since the last change to its days. */
async function settleUsage(rows: Rows, accountId: string, now: number): Promise<void> {
  const usage = await rows.one(settledAccounts, where('account_id'), accountId);
  if (!usage) return;
  if (startOfDay(usage.settledAt) !== startOfDay(now)) {
    // Days in the future were written before the clock was put back.
    const others = 'DELETE FROM usage_days WHERE account_id = ? AND (day < ? OR day > ?)';
    await rows.write(others, accountId, firstKeptDay(now), now);
  }
  // After a year without a change there are many days, of which only the first can be known.
  const since = startOfDay(usage.settledAt);
  const known = new Map(
    (await rows.all(usageDays, 'WHERE account_id = ? AND day >= ?', accountId, since)).map((row) => [row.day, row]),
  );
  for (const part of unsettledDays(usage, now)) {
    const earlier = known.get(part.day);
    await rows.put(usageDays, { accountId, ...(earlier ? sumOfDay(earlier, part) : part) });
  }
}
