import type { DatabaseSync } from 'node:sqlite';

import type { GitDeliveriesTable, TakenDelivery } from '#server/domain/deploys/table.ts';
import { statement } from './connection.ts';

/** Deliveries of git hosts that were taken, over one connection. */
export class SqliteGitDeliveries implements GitDeliveriesTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(appId: string, hash: Uint8Array): Promise<TakenDelivery | undefined> {
    const row = statement(this.#db(), 'SELECT deploy_ids, at FROM git_deliveries WHERE app_id = ? AND hash = ?').get(
      appId,
      hash,
    );
    return row && { deployIds: JSON.parse(String(row.deploy_ids)) as string[], at: Number(row.at) };
  }

  async put(appId: string, hash: Uint8Array, { deployIds, at }: TakenDelivery): Promise<void> {
    statement(
      this.#db(),
      'INSERT OR REPLACE INTO git_deliveries (app_id, hash, deploy_ids, at) VALUES (?, ?, ?, ?)',
    ).run(appId, hash, JSON.stringify(deployIds), at);
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const old = 'SELECT app_id, hash FROM git_deliveries WHERE at < ? ORDER BY at LIMIT ?';
    return Number(
      statement(this.#db(), `DELETE FROM git_deliveries WHERE (app_id, hash) IN (${old})`).run(at, limit).changes,
    );
  }
}
