import { recordReachedBudgets } from '../../budgets/budget-event.ts';
import { chargesBelow } from '../../budgets/budgets.ts';
import type { ChatLease } from '../../reservations/chat-lease.ts';
import { outputWeight, type BudgetName, type ChatQuota } from '../../budgets/chat-quota.ts';
import type { ChatLimits, ChatTotals } from '../../reservations/chat-refusal.ts';
import type { ChatLeaseRequest } from '../../reservations/chat-rejection.ts';
import type { ChatReservations } from '../../reservations/chat-reservations.ts';
import { boundsOf, decideLease, type ReservedChat, type RejectedChat } from '../../reservations/decide-lease.ts';
import { endOfWeek, startOfWeek } from '../../budgets/periods.ts';
import type { ChatCharge, ChatTally } from '../../budgets/table.ts';
import { highestCostOf } from '../../prices/model-prices.ts';
import { dayMs } from '#server/domain/day.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { chargesOf } from '../../tables/chat.ts';
import { rowOf, type SqlValue } from '#server/stores/tables/rows.ts';
import type { StateDatabase, Statement } from '#server/stores/postgres/state/database.ts';

/** Expired leases are removed this often. A request that is charged late still has its own for a day. */
const sweepEveryMs = 3_600_000;

/**
 * Leases in rows, exact over all replicas. To reserve one and to settle it takes one statement each. The leases of a
 * replica that was given up are removed with it.
 */
export class PostgresChatReservations implements ChatReservations {
  readonly isShared = true;
  readonly #database: StateDatabase;
  readonly #owner: () => string;
  readonly #metadata: Writes<'chat' | 'events'>;
  #sweptAt = -Infinity;

  /**
   * @param owner returns the id of this replica
   * @param metadata of the same database
   */
  constructor(database: StateDatabase, owner: () => string, metadata: Writes<'chat' | 'events'>) {
    this.#metadata = metadata;
    this.#database = database;
    this.#owner = owner;
  }

  async reserve(request: ChatLeaseRequest, limits: ChatLimits, now: number): Promise<ReservedChat | RejectedChat> {
    this.#sweepSometimes(now);
    // The database reserves a lease with all of its output. If only a part fits, that part is requested next.
    for (let attempt = request; ;) {
      const { isReserved, totals } = await this.#tryToReserve(attempt, limits, now);
      if (isReserved) return { lease: attempt.lease, totals };
      const decided = decideLease(totals, request, limits, now);
      if ('refusal' in decided) return decided;
      attempt = { lease: decided.lease, leastOutputTokens: decided.lease.outputTokens };
    }
  }

  async settle(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Promise<void> {
    try {
      if (!(await this.#charge(lease, usage, quota))) await this.#chargeAndTell(lease, usage, quota);
    } catch (error) {
      // If the database cannot be reached, the lease ends by itself.
      await this.release(lease).catch(() => {});
      throw error;
    }
  }

  async release({ id }: ChatLease): Promise<void> {
    await this.#database.run(
      `WITH of_key AS (DELETE FROM chat_key_leases WHERE lease_id = $1)
       DELETE FROM chat_leases WHERE lease_id = $1`,
      [id],
    );
  }

  /**
   * Removes a lease and charges for it in one statement, so that other requests count it once. Changes nothing, and
   * returns false, if that reaches a part of a budget that is to be told. The lock is a statement of its own, so that
   * the next one sees what the holder before has charged.
   */
  async #charge(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Promise<boolean> {
    const [row] = await this.#database.together<readonly [isReached: number]>([
      [lockAccount, [lease.accountId]],
      settleStatement(lease, usage, quota),
    ]);
    return row![0] === 0;
  }

  /** Does the same in a transaction that adds the events of reached budgets. */
  #chargeAndTell(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Promise<void> {
    return this.#metadata.atomically(
      async (tx) => {
        if (!(await tx.chat.freeLease(lease.id))) return;
        await tx.chat.charge(lease, usage);
        await recordReachedBudgets(tx, lease, quota);
      },
      { account: lease.accountId },
    );
  }

  async #tryToReserve(
    request: ChatLeaseRequest,
    limits: ChatLimits,
    now: number,
  ): Promise<{ readonly isReserved: boolean; readonly totals: ChatTotals }> {
    const { id, accountId, keyId, startedAt, expiresAt, day, inputTokens, outputTokens, prices } = request.lease;
    const { capacity } = limits;
    const bounds = boundsOf(request, limits);
    const { key } = bounds;
    const [row] = await this.#database.run<TotalsRow>(key ? reserveForKey : reserve, [
      ...[id, this.#owner(), accountId, startedAt, expiresAt, day, inputTokens, outputTokens],
      highestCostOf({ inputTokens, outputTokens }, prices),
      // Yesterday too: pacing looks back a few seconds, also on a Monday.
      ...[now, startOfWeek(day), endOfWeek(day), Math.min(startOfWeek(day), day - dayMs), outputWeight],
      Number(capacity.maxConcurrent !== null || capacity.dailyTokens !== null),
      ...[bounds.running, bounds.lastStartedAt, bounds.requestsToday, bounds.tokensToday, bounds.tokensWeek],
      ...[bounds.spendToday, bounds.costToday, bounds.installationRunning, bounds.installationTokens],
      ...(key ? [keyId, key.requestsInMinute, key.requestsToday, key.tokensToday, key.spendToday, key.costToday] : []),
    ]);
    return { isReserved: row![0] === 1, totals: totalsOf(row!) };
  }

  #sweepSometimes(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = now;
    const expired = this.#database.run(
      `WITH of_keys AS (DELETE FROM chat_key_leases WHERE expires_at < $1)
       DELETE FROM chat_leases WHERE expires_at < $1`,
      [now - dayMs],
    );
    // What could not be removed is removed by a later sweep.
    expired.catch(() => {});
  }
}

const lockAccount = 'SELECT 1 FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE';

/** The charges of an account, as each budget counts them. */
const measures: Readonly<Record<BudgetName, string>> = {
  daily_spend: 'sum(input_tokens + $6::bigint * output_tokens) FILTER (WHERE day = $3)',
  daily_tokens: 'sum(input_tokens + output_tokens) FILTER (WHERE day = $3)',
  weekly_tokens: 'sum(input_tokens + output_tokens)',
  daily_cost: 'sum(cost) FILTER (WHERE day = $3)',
};

/**
 * Charges as the table does, if the lease is still there and the charge reaches no part of a budget that is still to be
 * told. Returns whether it does. Charges between 80 and 100 percent look up that 80 was told.
 */
function settleStatement(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Statement {
  const { id, accountId, day } = lease;
  const values: SqlValue[] = [id, accountId, day, startOfWeek(day), endOfWeek(day), outputWeight];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const isBelow = chargesBelow(quota, day, usage).map(({ name, limit, startsAt, percent80, percent100 }) => {
    const charged = `coalesce(${measures[name]}, 0)`;
    return `(${charged} < ${place(percent80)} OR ${charged} < ${place(percent100)} AND EXISTS (
      SELECT FROM chat_reached_budgets WHERE account_id = $2 AND budget = '${name}' AND starts_at = ${place(startsAt)}
        AND token_limit = ${place(limit)} AND percent = 80))`;
  });
  const charges = chargesOf(lease, usage).map((add, number) =>
    add((table, value, onConflict) => {
      const places = rowOf(table, value).map(place);
      return `charge_${number} AS (
        INSERT INTO ${table.name} (${table.list}) SELECT ${places.join(', ')} FROM freed ${onConflict})`;
    }),
  );
  const sql = `WITH reserved AS (SELECT lease_id FROM chat_leases WHERE lease_id = $1),
    charged AS (
      SELECT ${isBelow.join(' AND ')} AS is_below FROM chat_days WHERE account_id = $2 AND day >= $4 AND day < $5
    ),
    freed AS (DELETE FROM chat_leases USING charged WHERE lease_id = $1 AND is_below RETURNING lease_id),
    freed_of_key AS (DELETE FROM chat_key_leases AS of_keys USING freed WHERE of_keys.lease_id = freed.lease_id),
    ${charges.join(', ')}
    SELECT NOT is_below AND EXISTS (SELECT FROM reserved) FROM charged`;
  return [sql, values];
}

const totalsColumns = `is_reserved, running, last_started_at,
  used_today, used_week, reserved_today, reserved_week, installation`;
const reserveParameters = `ROW($1, $2, $3, $4, $5, $6, $7, $8, $9)::chat_leases,
  $10, $11, $12, $13, $14, $15 = 1, $16, $17, $18, $19, $20, $21, $22, $23, $24`;

/** For keys without limits, which are most. */
const reserve = `SELECT ${totalsColumns} FROM reserve_chat(${reserveParameters})`;

/** For keys with limits. */
const reserveForKey = `SELECT ${totalsColumns}, key_used, key_reserved, key_minute
  FROM reserve_chat_of_key(${reserveParameters}, $25, $26, $27, $28, $29, $30)`;

/** Requests, tokens of input, tokens of output and the cost of both. */
type TallyRow = readonly [requests: number, inputTokens: number, outputTokens: number, cost: number];

type TotalsRow = readonly [
  isReserved: number,
  running: number,
  lastStartedAt: number | null,
  usedToday: TallyRow,
  usedWeek: TallyRow,
  reservedToday: TallyRow,
  reservedWeek: TallyRow,
  installation: readonly [running: number, usedToday: number, reservedToday: number],
  ...ofKey: readonly [] | readonly [keyUsed: TallyRow, keyReserved: TallyRow, keyMinute: number],
];

function totalsOf([
  ,
  running,
  lastStartedAt,
  usedToday,
  usedWeek,
  reservedToday,
  reservedWeek,
  all,
  ...ofKey
]: TotalsRow): ChatTotals {
  const [keyUsed, keyReserved, inMinute] = ofKey;
  return {
    running,
    lastStartedAt,
    used: { today: tallyOf(usedToday), week: tallyOf(usedWeek) },
    reserved: { today: tallyOf(reservedToday), week: tallyOf(reservedWeek) },
    installation: { running: all[0], usedToday: all[1], reservedToday: all[2] },
    ...(keyUsed &&
      keyReserved && { key: { used: tallyOf(keyUsed), reserved: tallyOf(keyReserved), inMinute: inMinute! } }),
  };
}

function tallyOf([requests, inputTokens, outputTokens, cost]: TallyRow): ChatTally {
  return { requests, inputTokens, outputTokens, cost };
}
