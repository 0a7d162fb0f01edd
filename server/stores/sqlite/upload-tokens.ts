import type { DatabaseSync } from 'node:sqlite';

import type { UploadTokensTable } from '#server/domain/access/upload-tokens-table.ts';
import type { UploadPins, UploadToken } from '#server/domain/access/upload-token.ts';
import { statement } from './connection.ts';

interface UploadTokenRow {
  readonly token_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly pins: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly max_uses: number;
  readonly uses_left: number;
}

const columns = 'token_id, account_id, key_id, pins, created_at, expires_at, ended_at, max_uses, uses_left';

function tokenOf(row: UploadTokenRow): UploadToken {
  return {
    id: row.token_id,
    accountId: row.account_id,
    keyId: row.key_id,
    pins: JSON.parse(row.pins) as UploadPins,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    maxUses: row.max_uses,
    usesLeft: row.uses_left,
  };
}

/** Upload tokens, over one connection. */
export class SqliteUploadTokens implements UploadTokensTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async findByHash(hash: Uint8Array): Promise<UploadToken | undefined> {
    const row = statement(this.#db(), `SELECT ${columns} FROM upload_tokens WHERE hash = ?`).get(hash);
    return row && tokenOf(row as unknown as UploadTokenRow);
  }

  async find(tokenId: string): Promise<UploadToken | undefined> {
    const row = statement(this.#db(), `SELECT ${columns} FROM upload_tokens WHERE token_id = ?`).get(tokenId);
    return row && tokenOf(row as unknown as UploadTokenRow);
  }

  async add(token: UploadToken, hash: Uint8Array): Promise<void> {
    statement(this.#db(), `INSERT INTO upload_tokens (${columns}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      token.id,
      token.accountId,
      token.keyId,
      JSON.stringify(token.pins),
      token.createdAt,
      token.expiresAt,
      token.endedAt,
      token.maxUses,
      token.usesLeft,
      hash,
    );
  }

  async spend(tokenId: string): Promise<boolean> {
    return (
      statement(
        this.#db(),
        'UPDATE upload_tokens SET uses_left = uses_left - 1 WHERE token_id = ? AND uses_left > 0',
      ).run(tokenId).changes === 1
    );
  }

  async hold(tokenId: string): Promise<boolean> {
    const take =
      'UPDATE upload_tokens SET uses_left = uses_left - 1, uses_held = uses_held + 1 WHERE token_id = ? AND uses_left > 0';
    return statement(this.#db(), take).run(tokenId).changes === 1;
  }

  async keepHeld(tokenId: string): Promise<void> {
    statement(this.#db(), 'UPDATE upload_tokens SET uses_held = uses_held - 1 WHERE token_id = ?').run(tokenId);
  }

  async giveBackHeld(tokenId: string): Promise<void> {
    statement(
      this.#db(),
      'UPDATE upload_tokens SET uses_held = uses_held - 1, uses_left = uses_left + 1 WHERE token_id = ? AND uses_held > 0',
    ).run(tokenId);
  }

  async endThoseOf(keyId: string, now: number): Promise<void> {
    statement(this.#db(), 'UPDATE upload_tokens SET ended_at = ? WHERE key_id = ? AND ended_at IS NULL').run(
      now,
      keyId,
    );
  }

  async forgetExpiredBefore(instant: number, limit: number): Promise<number> {
    const openers = 'SELECT token_id FROM chunked_uploads WHERE token_id IS NOT NULL';
    const old = `SELECT token_id FROM upload_tokens WHERE expires_at < ? AND token_id NOT IN (${openers}) LIMIT ?`;
    return Number(
      statement(this.#db(), `DELETE FROM upload_tokens WHERE token_id IN (${old})`).run(instant, limit).changes,
    );
  }

  async giveBackAllHeld(): Promise<number> {
    const held = statement(this.#db(), 'SELECT coalesce(sum(uses_held), 0) AS uses FROM upload_tokens').get() as {
      uses: number;
    };
    if (held.uses > 0)
      statement(
        this.#db(),
        'UPDATE upload_tokens SET uses_left = uses_left + uses_held, uses_held = 0 WHERE uses_held > 0',
      ).run();
    return held.uses;
  }
}
