import type { DatabaseSync } from 'node:sqlite';

import type { LegacyImport, LegacyImportsTable } from '#server/domain/objects/legacy-imports-table.ts';
import { statement } from './connection.ts';

/** Legacy files that were brought over, over one connection. */
export class SqliteLegacyImports implements LegacyImportsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find({ accountId, key }: Pick<LegacyImport, 'accountId' | 'key'>): Promise<LegacyImport | undefined> {
    const row = statement(this.#db(), 'SELECT sha256 FROM legacy_imports WHERE account_id = ? AND key = ?').get(
      accountId,
      key,
    );
    return row && { accountId, key, sha256: String(row.sha256) };
  }

  async save({ accountId, key, sha256 }: LegacyImport): Promise<void> {
    statement(this.#db(), 'INSERT OR REPLACE INTO legacy_imports (account_id, key, sha256) VALUES (?, ?, ?)').run(
      accountId,
      key,
      sha256,
    );
  }
}
