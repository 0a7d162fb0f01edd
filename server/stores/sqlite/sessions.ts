import type { DatabaseSync } from 'node:sqlite';

import type { Session } from '#server/domain/access/session.ts';
import type { SessionsTable } from '#server/domain/access/sessions-table.ts';
import { statement } from './connection.ts';

/** Who is signed in at the approval page, over one connection. */
export class SqliteSessions implements SessionsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(hash: Uint8Array): Promise<Session | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM sessions WHERE hash = ?').get(hash);
    return (
      row && {
        hash: row.hash as Uint8Array,
        keyHash: row.key_hash as Uint8Array,
        expiresAt: Number(row.expires_at),
        wrongCodes: Number(row.wrong_codes),
      }
    );
  }

  async add({ hash, keyHash, expiresAt, wrongCodes }: Session): Promise<void> {
    statement(this.#db(), 'INSERT INTO sessions (hash, key_hash, expires_at, wrong_codes) VALUES (?, ?, ?, ?)').run(
      hash,
      keyHash,
      expiresAt,
      wrongCodes,
    );
  }

  async countWrongCode(hash: Uint8Array): Promise<number> {
    const row = statement(
      this.#db(),
      'UPDATE sessions SET wrong_codes = wrong_codes + 1 WHERE hash = ? RETURNING wrong_codes',
    ).get(hash);
    return Number(row?.wrong_codes ?? 0);
  }

  async remove(hash: Uint8Array): Promise<void> {
    statement(this.#db(), 'DELETE FROM sessions WHERE hash = ?').run(hash);
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const { changes } = statement(
      this.#db(),
      'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
    ).run(at, limit);
    return Number(changes);
  }
}
