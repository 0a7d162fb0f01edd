import type { DatabaseSync } from 'node:sqlite';

import { dayMs } from '#server/domain/account/usage-days.ts';
import type { TokenUsage } from '#server/domain/chat/conversation.ts';
import { endOfWeek, startOfWeek } from '#server/domain/chat/periods.ts';
import type { ChatCharged, ChatChargedTo, ChatTable, ChatTally } from '#server/domain/chat/table.ts';
import { statement } from './connection.ts';

interface DayRow {
  readonly day: number;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly last_started_at: number;
}

/** What the AI gateway has charged, over one connection. */
export class SqliteChat implements ChatTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async chargedTo(accountId: string, day: number): Promise<ChatCharged> {
    const monday = startOfWeek(day);
    // Yesterday too, for the pacing of the first seconds of a Monday.
    const since = Math.min(monday, day - dayMs);
    const sql =
      'SELECT day, requests, input_tokens, output_tokens, last_started_at FROM chat_days WHERE account_id = ? AND day >= ?';
    const rows = statement(this.#db(), sql).all(accountId, since) as unknown as DayRow[];
    return {
      today: tallyOf(rows.filter((row) => row.day === day)),
      week: tallyOf(rows.filter((row) => row.day >= monday && row.day < endOfWeek(day))),
      lastStartedAt: rows.length === 0 ? null : Math.max(...rows.map((row) => row.last_started_at)),
    };
  }

  async tokensOn(day: number): Promise<number> {
    return Number(
      statement(this.#db(), 'SELECT tokens FROM chat_installation_days WHERE day = ?').get(day)?.tokens ?? 0,
    );
  }

  async charge({ accountId, day, startedAt }: ChatChargedTo, { inputTokens, outputTokens }: TokenUsage): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO chat_days (account_id, day, requests, input_tokens, output_tokens, last_started_at) VALUES (?, ?, 1, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + 1, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, last_started_at = max(last_started_at, excluded.last_started_at)`,
    ).run(accountId, day, inputTokens, outputTokens, startedAt);
    statement(
      this.#db(),
      'INSERT INTO chat_installation_days (day, tokens) VALUES (?, ?) ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens',
    ).run(day, inputTokens + outputTokens);
  }

  async forgetDaysBefore(day: number, limit: number): Promise<number> {
    statement(this.#db(), 'DELETE FROM chat_installation_days WHERE day < ?').run(day);
    const old = 'SELECT account_id, day FROM chat_days WHERE day < ? ORDER BY day LIMIT ?';
    return Number(
      statement(this.#db(), `DELETE FROM chat_days WHERE (account_id, day) IN (${old})`).run(day, limit).changes,
    );
  }
}

function tallyOf(rows: readonly DayRow[]): ChatTally {
  const sum = (tokens: (row: DayRow) => number) => rows.reduce((total, row) => total + tokens(row), 0);
  return {
    requests: sum((row) => row.requests),
    inputTokens: sum((row) => row.input_tokens),
    outputTokens: sum((row) => row.output_tokens),
  };
}
