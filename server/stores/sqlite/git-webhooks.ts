import type { DatabaseSync } from 'node:sqlite';

import type { GitWebhooksTable } from '#server/domain/deploys/table.ts';
import type { GitWebhook } from '#server/domain/deploys/webhook.ts';
import { statement } from './connection.ts';
import { countRevision } from './deploys.ts';

interface WebhookRow {
  readonly app_id: string;
  readonly code_hash: Uint8Array;
  readonly sealed_code: string;
  readonly sealed_token: string;
  readonly sealed_secret: string | null;
  readonly token_origin: string | null;
  readonly pushed_at: number | null;
}

function webhookOf(row: WebhookRow): GitWebhook {
  return {
    appId: row.app_id,
    codeHash: row.code_hash,
    sealedCode: row.sealed_code,
    sealedToken: row.sealed_token,
    sealedSecret: row.sealed_secret,
    tokenOrigin: row.token_origin,
    pushedAt: row.pushed_at,
  };
}

/** Webhooks of applications, over one connection. */
export class SqliteGitWebhooks implements GitWebhooksTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async findByCode(codeHash: Uint8Array): Promise<GitWebhook | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM git_webhooks WHERE code_hash = ?').get(codeHash);
    return row && webhookOf(row as unknown as WebhookRow);
  }

  async find(appId: string): Promise<GitWebhook | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM git_webhooks WHERE app_id = ?').get(appId);
    return row && webhookOf(row as unknown as WebhookRow);
  }

  async put({
    appId,
    codeHash,
    sealedCode,
    sealedToken,
    sealedSecret,
    tokenOrigin,
    pushedAt,
  }: GitWebhook): Promise<void> {
    statement(
      this.#db(),
      `INSERT OR REPLACE INTO git_webhooks (app_id, code_hash, sealed_code, sealed_token, sealed_secret, token_origin, pushed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(appId, codeHash, sealedCode, sealedToken, sealedSecret, tokenOrigin, pushedAt);
    countRevision(this.#db(), appId);
  }

  async remove(appId: string): Promise<void> {
    const { changes } = statement(this.#db(), 'DELETE FROM git_webhooks WHERE app_id = ?').run(appId);
    if (changes > 0) countRevision(this.#db(), appId);
  }

  async spendPush(appId: string, at: number, windowMs: number): Promise<boolean> {
    // A clock that was put back by more than the window does not shut the webhook until it has caught up.
    const spend =
      'UPDATE git_webhooks SET pushed_at = :at WHERE app_id = :appId AND (pushed_at IS NULL OR abs(:at - pushed_at) >= :windowMs)';
    return statement(this.#db(), spend).run({ appId, at, windowMs }).changes === 1;
  }

  async settleTokenOrigin(appId: string, origin: string): Promise<void> {
    statement(this.#db(), 'UPDATE git_webhooks SET token_origin = ? WHERE app_id = ? AND token_origin IS NULL').run(
      origin,
      appId,
    );
  }
}
