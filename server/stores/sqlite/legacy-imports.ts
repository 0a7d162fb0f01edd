import type { LegacyImport, LegacyImportsTable } from '#server/domain/objects/legacy-imports-table.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const imports = table(
  'legacy_imports',
  record<LegacyImport>({ accountId: 'account_id', key: 'key', sha256: 'sha256' }),
);

/** Legacy files that were imported. */
export function sqliteLegacyImports(rows: Rows): LegacyImportsTable {
  return {
    find: async ({ accountId, key }) => rows.one(imports, 'WHERE account_id = ? AND key = ?', accountId, key),
    async save(file) {
      rows.put(imports, file);
    },
  };
}
