import { setTimeout as sleep } from 'node:timers/promises';

import { sqlState } from '../postgres/database-errors.ts';
import { movingMessage, movingState } from '../moving.ts';
import { endNotingIn, findRecordIn } from './postgres-moved.ts';
import { changeOf, forever, putRecord, selectChanges, takeWrites } from './noted-changes.ts';
import { PostgresMovableRows } from './postgres-rows.ts';
import { StoreMoveRefused } from './refused.ts';
import type { NotedChange, SourceRows, TableShape } from './rows.ts';
import { inParts, quoted } from './statements.ts';

/** Servers end their transactions after 4 s. */
const longestTransactionMs = 6_000;

/** How long a trigger waits for the transactions of its table, before those behind it go first. */
const lockMs = 1_000;
const mostTries = 60;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

const nowMs = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The record of the move, until when writes are refused, and the log of changes. */
const makeTables = `
  CREATE TABLE IF NOT EXISTS store_move (
    one BIGINT PRIMARY KEY CHECK (one = 1), record TEXT NOT NULL, refused_until BIGINT NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS store_move_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, changed_table TEXT NOT NULL, key TEXT NOT NULL
  )`;

/** Transactions that have written. One of them may have looked before writes were refused. */
const writing = `SELECT pid || ' ' || backend_xid::text FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL`;

/**
 * A PostgreSQL database that rows are moved from. Triggers note the changes, so they are part of the servers' own
 * transactions.
 */
export class PostgresSource extends PostgresMovableRows implements SourceRows {
  findRecord(): Promise<string | undefined> {
    return findRecordIn(this.pool);
  }

  async saveRecord(record: string): Promise<void> {
    await this.all(putRecord, [record]);
  }

  /** One table at a time, because each waits for the transactions that write it. */
  async beginNoting(noted: readonly TableShape[], all: readonly string[], record: string): Promise<void> {
    await this.inTransaction((session) => session.command(makeTables));
    await this.saveRecord(record);
    for (const name of all)
      await this.#addTrigger(
        name,
        noted.find((table) => table.name === name),
      );
  }

  async endNoting(): Promise<void> {
    await endNotingIn(this.pool);
  }

  async changes(limit: number): Promise<NotedChange[]> {
    return (await this.all(selectChanges, [limit])).map(changeOf);
  }

  /** By number and not up to a number: a transaction with a smaller number may be committed later. */
  async forget(ids: readonly number[]): Promise<void> {
    for (const some of inParts(ids, this.lengths))
      await this.all(`DELETE FROM store_move_changes WHERE id IN (${some.map(() => '?').join(', ')})`, some);
  }

  async refuseWrites(forMs: number): Promise<void> {
    await this.all(`UPDATE store_move SET refused_until = ${nowMs} + ?`, [forMs]);
    const giveUpAt = performance.now() + longestTransactionMs;
    let earlier = await this.#writing();
    while (earlier.size > 0) {
      if (performance.now() > giveUpAt) {
        await this.takeWrites();
        throw new StoreMoveRefused(
          'A transaction in the source has been open for seconds, so writes could not be refused. See ' +
            'pg_stat_activity, end it, and try again.',
        );
      }
      await sleep(10);
      const now = await this.#writing();
      earlier = new Set([...earlier].filter((one) => now.has(one)));
    }
  }

  async takeWrites(): Promise<void> {
    await this.all(takeWrites);
  }

  /** Writes must be refused for as long as a transaction may still take that looks at the clock now. */
  async refuseForGood(record: string): Promise<boolean> {
    const rows = await this.all(
      `UPDATE store_move SET refused_until = ?, record = ?
       WHERE refused_until > ${nowMs} + ${longestTransactionMs} AND NOT EXISTS (SELECT 1 FROM store_move_changes)
       RETURNING one`,
      [forever, record],
    );
    return rows.length === 1;
  }

  async #writing(): Promise<Set<string>> {
    return new Set((await this.all(writing)).map(([one]) => one as string));
  }

  async #addTrigger(name: string, shape: TableShape | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.inTransaction(async (session) => {
          await session.command(`SET LOCAL lock_timeout = ${lockMs}; ${triggerOf(name, shape)}`);
        });
      } catch (error) {
        const canWait = [lockNotAvailable, deadlockDetected].includes(sqlState(error) ?? '');
        if (!canWait || tries === mostTries) throw error;
        await sleep(100);
      }
    }
  }
}

/** Refuses the write if that was requested, and notes the key of the row. A changed key is noted before and after. */
function triggerOf(name: string, shape: TableShape | undefined): string {
  const note = (row: 'NEW' | 'OLD') =>
    `INSERT INTO store_move_changes (changed_table, key) VALUES ('${name}', ` +
    `jsonb_build_array(${shape!.key.map((column) => jsonOf(shape!, row, column)).join(', ')})::text);`;
  const differs = shape?.key
    .map((column) => `NEW.${quoted(column)} IS DISTINCT FROM OLD.${quoted(column)}`)
    .join(' OR ');
  const notes = shape
    ? `IF TG_OP <> 'INSERT' THEN ${note('OLD')} END IF;
       IF TG_OP = 'INSERT' THEN ${note('NEW')} END IF;
       IF TG_OP = 'UPDATE' THEN IF ${differs} THEN ${note('NEW')} END IF; END IF;`
    : '';
  return `
    CREATE OR REPLACE FUNCTION store_move_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT refused_until FROM store_move) > ${nowMs} THEN
        RAISE EXCEPTION '${movingMessage}' USING ERRCODE = '${movingState}';
      END IF;
      ${notes}
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER store_move_${name} AFTER INSERT OR UPDATE OR DELETE ON ${quoted(name)}
      FOR EACH ROW EXECUTE FUNCTION store_move_${name}()`;
}

/** JSON has no bytes, so they are an object with their hex digits. */
function jsonOf({ binary }: TableShape, row: 'NEW' | 'OLD', column: string): string {
  const value = `${row}.${quoted(column)}`;
  return binary.includes(column) ? `jsonb_build_object('hex', encode(${value}, 'hex'))` : value;
}
