import type { DatabaseSync } from 'node:sqlite';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { Scope } from '#server/domain/access/scope.ts';
import type { ApiKeysTable } from '#server/domain/access/table.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { statement } from './connection.ts';

interface ApiKeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly last4: string;
  readonly scopes: string;
  readonly resources: string | null;
  readonly prefixes: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly s3_salt: string | null;
  readonly s3_check: string | null;
}

function keyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.key_id,
    accountId: row.account_id,
    name: row.name,
    last4: row.last4,
    scopes: JSON.parse(row.scopes) as Scope[],
    resources: row.resources === null ? null : (JSON.parse(row.resources) as string[]),
    prefixes: row.prefixes === null ? null : (JSON.parse(row.prefixes) as Prefix[]),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    s3Salt: row.s3_salt,
    s3Check: row.s3_check,
  };
}

/** Of an account, at an instant. */
const live = 'account_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

/** API keys, over one connection. */
export class SqliteApiKeys implements ApiKeysTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async findByHash(hash: Uint8Array): Promise<ApiKey | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM api_keys WHERE hash = ?').get(hash);
    return row && keyOf(row as unknown as ApiKeyRow);
  }

  async find(keyId: string): Promise<ApiKey | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM api_keys WHERE key_id = ?').get(keyId);
    return row && keyOf(row as unknown as ApiKeyRow);
  }

  async listOf(accountId: string): Promise<ApiKey[]> {
    const rows = statement(this.#db(), 'SELECT * FROM api_keys WHERE account_id = ? ORDER BY created_at, key_id').all(
      accountId,
    );
    return (rows as unknown as ApiKeyRow[]).map(keyOf);
  }

  async liveOf(accountId: string, now: number): Promise<ApiKey[]> {
    const rows = statement(this.#db(), `SELECT * FROM api_keys WHERE ${live} ORDER BY created_at, key_id`).all(
      accountId,
      now,
    );
    return (rows as unknown as ApiKeyRow[]).map(keyOf);
  }

  async findByS3Salt(s3Salt: string): Promise<ApiKey | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM api_keys WHERE s3_salt = ?').get(s3Salt);
    return row && keyOf(row as unknown as ApiKeyRow);
  }

  async countLive(accountId: string, now: number): Promise<number> {
    const row = statement(this.#db(), `SELECT count(*) AS live FROM api_keys WHERE ${live}`).get(accountId, now);
    return Number(row!.live);
  }

  async add(key: ApiKey, hash: Uint8Array): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO api_keys (key_id, account_id, name, hash, last4, scopes, resources, prefixes, created_at, last_used_at, expires_at, revoked_at, s3_salt, s3_check)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      key.id,
      key.accountId,
      key.name,
      hash,
      key.last4,
      JSON.stringify(key.scopes),
      key.resources && JSON.stringify(key.resources),
      key.prefixes && JSON.stringify(key.prefixes),
      key.createdAt,
      key.lastUsedAt,
      key.expiresAt,
      key.revokedAt,
      key.s3Salt,
      key.s3Check,
    );
  }

  async revoke(keyId: string, now: number): Promise<void> {
    statement(this.#db(), 'UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL').run(now, keyId);
  }

  async replaceSecret(
    keyId: string,
    { hash, last4, s3Salt, s3Check }: { readonly hash: Uint8Array } & Pick<ApiKey, 'last4' | 's3Salt' | 's3Check'>,
  ): Promise<void> {
    statement(this.#db(), 'UPDATE api_keys SET hash = ?, last4 = ?, s3_salt = ?, s3_check = ? WHERE key_id = ?').run(
      hash,
      last4,
      s3Salt,
      s3Check,
      keyId,
    );
  }

  async noteUse(keyId: string, now: number): Promise<void> {
    statement(this.#db(), 'UPDATE api_keys SET last_used_at = ? WHERE key_id = ?').run(now, keyId);
  }
}
