import type { DatabaseSync } from 'node:sqlite';

import type { ActivityAuth, ActivityEntry, ActivityRecord, ActivityType } from '#server/domain/activity/activity.ts';
import type { ActivityScan, ActivityTable } from '#server/domain/activity/table.ts';
import { spaces } from '#server/domain/object-id.ts';
import { statement } from './connection.ts';

interface ActivityRow {
  readonly account_id: string;
  readonly sequence: number;
  readonly type: ActivityType;
  readonly at: number;
  readonly space: number | null;
  readonly key: string | null;
  readonly details: string;
  readonly source_ip: string | null;
  readonly user_agent: string | null;
  readonly auth: ActivityAuth;
}

function entryOf(row: ActivityRow): ActivityEntry {
  return {
    accountId: row.account_id,
    sequence: row.sequence,
    type: row.type,
    at: row.at,
    object:
      row.space === null || row.key === null
        ? null
        : { accountId: row.account_id, space: spaces[row.space]!, key: row.key },
    details: JSON.parse(row.details) as Record<string, unknown>,
    actor: { sourceIp: row.source_ip, userAgent: row.user_agent, auth: row.auth },
  };
}

/** What happened in the accounts, over one connection. */
export class SqliteActivity implements ActivityTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async scan({ accountId, before = Number.MAX_SAFE_INTEGER, limit }: ActivityScan): Promise<ActivityEntry[]> {
    const rows = statement(
      this.#db(),
      'SELECT * FROM activity WHERE account_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
    ).all(accountId, before, limit);
    return (rows as unknown as ActivityRow[]).map(entryOf);
  }

  async add({ accountId, type, object, details, actor }: ActivityRecord, at: number): Promise<number> {
    const counted = statement(
      this.#db(),
      'UPDATE accounts SET activity_count = activity_count + 1 WHERE account_id = ? RETURNING activity_count',
    ).get(accountId);
    if (!counted) throw new Error(`There is no account ${accountId} to which activity could belong.`);
    const sequence = Number(counted.activity_count);
    statement(
      this.#db(),
      `INSERT INTO activity (account_id, sequence, type, at, space, key, details, source_ip, user_agent, auth)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      accountId,
      sequence,
      type,
      at,
      object && spaces.indexOf(object.space),
      object && object.key,
      JSON.stringify(details),
      actor.sourceIp,
      actor.userAgent,
      actor.auth,
    );
    return sequence;
  }

  async remove(accountId: string, sequence: number): Promise<void> {
    statement(this.#db(), 'DELETE FROM activity WHERE account_id = ? AND sequence = ?').run(accountId, sequence);
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const { changes } = statement(
      this.#db(),
      'DELETE FROM activity WHERE (account_id, sequence) IN (SELECT account_id, sequence FROM activity WHERE at < ? ORDER BY at LIMIT ?)',
    ).run(at, limit);
    return Number(changes);
  }
}
