import type { DatabaseSync } from 'node:sqlite';

import { dayMs } from '#server/domain/account/usage-days.ts';
import type { TokenUsage } from '#server/domain/chat/conversation.ts';
import { endOfWeek, startOfWeek } from '#server/domain/chat/periods.ts';
import { outputWeight } from '#server/domain/chat/plan-limits.ts';
import type { ChatCeilings, ChatLease, ChatStanding, ChatTable, ChatTally, ChatWish } from '#server/domain/chat/table.ts';
import { statement } from './connection.ts';

interface LeaseRow {
  readonly lease_id: string;
  readonly account_id: string;
  readonly started_at: number;
  readonly expires_at: number;
  readonly day: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

type StandingRow = Readonly<Record<string, number>> & { readonly last_started_at: number | null };

/** A sum of none is null in SQL. */
const sumOf = (what: string, when: string): string => `ifnull(sum(${what}) FILTER (WHERE ${when}), 0)`;
const tally = (name: string, requests: string, when: string): string =>
  [`${sumOf(requests, when)} AS ${name}_requests`, `${sumOf('input_tokens', when)} AS ${name}_input`, `${sumOf('output_tokens', when)} AS ${name}_output`].join(', ');

const today = 'day = :day';
const thisWeek = 'day >= :monday AND day < :next_monday';

/** Where the account stands, as one row. Yesterday is looked at too, for the pacing of the first seconds of a Monday. */
const standing = `
  charged AS (
    SELECT ${tally('used_today', 'requests', today)}, ${tally('used_week', 'requests', thisWeek)}, max(last_started_at) AS charged_started_at
    FROM chat_days WHERE account_id = :account AND day >= min(:monday, :day - ${dayMs})),
  running AS (
    SELECT count(*) AS running, ${tally('held_today', '1', today)}, ${tally('held_week', '1', thisWeek)}, max(started_at) AS held_started_at
    FROM chat_leases WHERE account_id = :account AND expires_at > :now),
  standing AS (
    SELECT *, nullif(max(ifnull(charged_started_at, -1), ifnull(held_started_at, -1)), -1) AS last_started_at FROM charged, running)`;

/** Of all accounts. Subqueries, so that they cost nothing where nobody asks. */
const allRunning = '(SELECT count(*) FROM chat_leases WHERE expires_at > :now)';
const allUsed = 'ifnull((SELECT tokens FROM chat_installation_days WHERE day = :day), 0)';
const allHeld = '(SELECT ifnull(sum(input_tokens + output_tokens), 0) FROM chat_leases WHERE expires_at > :now AND day = :day)';

/** What is left, in whole tokens of output (numbers are bound as REAL), of each budget once the input is taken from it. */
const left = `min(
  :tokens_per_day - used_today_input - used_today_output - held_today_input - held_today_output - :input,
  :tokens_per_week - used_week_input - used_week_output - held_week_input - held_week_output - :input,
  CAST((:spend_per_day - used_today_input - held_today_input - :input) / ${outputWeight} AS INTEGER) - used_today_output - held_today_output,
  CASE WHEN :installation_tokens IS NULL THEN :output ELSE :installation_tokens - ${allUsed} - ${allHeld} - :input END)`;

const holdStatement = `
  WITH ${standing}, room AS MATERIALIZED (SELECT *, ${left} AS remaining FROM standing)
  INSERT INTO chat_leases (lease_id, account_id, started_at, expires_at, day, input_tokens, output_tokens)
  SELECT :lease, :account, :started_at, :expires_at, :day, :input, min(:output, remaining) FROM room
  WHERE running < :concurrent
    AND (last_started_at IS NULL OR last_started_at + :pacing_ms <= :started_at OR last_started_at > :started_at)
    AND (:requests_per_day IS NULL OR used_today_requests + held_today_requests < :requests_per_day)
    AND (:installation_running IS NULL OR ${allRunning} < :installation_running)
    AND remaining >= :least_output
  RETURNING output_tokens`;

/** What the AI gateway has counted, over one connection. */
export class SqliteChat implements ChatTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async standingOf(accountId: string, day: number, now: number): Promise<ChatStanding> {
    const sql = `WITH ${standing} SELECT *, ${allRunning} AS all_running, ${allUsed} AS all_used, ${allHeld} AS all_held FROM standing`;
    const row = statement(this.#db(), sql).get({ account: accountId, now, ...periodOf(day) }) as StandingRow;
    return {
      running: row.running!,
      lastStartedAt: row.last_started_at,
      used: { today: tallyOf(row, 'used_today'), week: tallyOf(row, 'used_week') },
      held: { today: tallyOf(row, 'held_today'), week: tallyOf(row, 'held_week') },
      installation: { running: row.all_running!, usedToday: row.all_used!, heldToday: row.all_held! },
    };
  }

  async hold({ lease, leastOutputTokens }: ChatWish, { limits, capacity }: ChatCeilings, now: number): Promise<number | undefined> {
    const row = statement(this.#db(), holdStatement).get({
      lease: lease.id,
      account: lease.accountId,
      started_at: lease.startedAt,
      expires_at: lease.expiresAt,
      input: lease.inputTokens,
      output: lease.outputTokens,
      least_output: leastOutputTokens,
      now,
      ...periodOf(lease.day),
      concurrent: limits.concurrent,
      pacing_ms: limits.pacingSeconds * 1000,
      requests_per_day: limits.requestsPerDay,
      tokens_per_day: limits.tokensPerDay,
      tokens_per_week: limits.tokensPerWeek,
      spend_per_day: limits.spendPerDay,
      installation_running: capacity.maxConcurrent,
      installation_tokens: capacity.dailyTokens,
    });
    return row && Number(row.output_tokens);
  }

  async giveUp(leaseId: string): Promise<ChatLease | undefined> {
    const row = statement(this.#db(), 'DELETE FROM chat_leases WHERE lease_id = ? RETURNING *').get(leaseId);
    return row && leaseOf(row as unknown as LeaseRow);
  }

  async charge({ accountId, day, startedAt }: Pick<ChatLease, 'accountId' | 'day' | 'startedAt'>, { inputTokens, outputTokens }: TokenUsage): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO chat_days (account_id, day, requests, input_tokens, output_tokens, last_started_at) VALUES (?, ?, 1, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + 1, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, last_started_at = max(last_started_at, excluded.last_started_at)`,
    ).run(accountId, day, inputTokens, outputTokens, startedAt);
    statement(this.#db(), 'INSERT INTO chat_installation_days (day, tokens) VALUES (?, ?) ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens').run(
      day,
      inputTokens + outputTokens,
    );
  }

  async giveUpAll(): Promise<number> {
    return Number(statement(this.#db(), 'DELETE FROM chat_leases').run().changes);
  }

  async forgetLeasesBefore(instant: number, limit: number): Promise<number> {
    const old = 'SELECT lease_id FROM chat_leases WHERE expires_at < ? ORDER BY expires_at LIMIT ?';
    return Number(statement(this.#db(), `DELETE FROM chat_leases WHERE lease_id IN (${old})`).run(instant, limit).changes);
  }

  async forgetDaysBefore(day: number, limit: number): Promise<number> {
    statement(this.#db(), 'DELETE FROM chat_installation_days WHERE day < ?').run(day);
    const old = 'SELECT account_id, day FROM chat_days WHERE day < ? ORDER BY day LIMIT ?';
    return Number(statement(this.#db(), `DELETE FROM chat_days WHERE (account_id, day) IN (${old})`).run(day, limit).changes);
  }
}

function periodOf(day: number) {
  return { day, monday: startOfWeek(day), next_monday: endOfWeek(day) };
}

function tallyOf(row: StandingRow, name: string): ChatTally {
  return { requests: row[`${name}_requests`]!, inputTokens: row[`${name}_input`]!, outputTokens: row[`${name}_output`]! };
}

function leaseOf(row: LeaseRow): ChatLease {
  return {
    id: row.lease_id,
    accountId: row.account_id,
    startedAt: row.started_at,
    expiresAt: row.expires_at,
    day: row.day,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
  };
}
