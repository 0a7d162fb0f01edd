import type { LegacyImport, LegacyImportsTable } from '../legacy/legacy-imports-table.ts';
import { record } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const imports = table(
  'legacy_imports',
  record<LegacyImport>({ accountId: 'account_id', key: 'key', sha256: 'sha256' }),
  'account_id, key',
);

/** Legacy files that were imported. */
export function legacyImportsTable(rows: Rows): LegacyImportsTable {
  return {
    find: async ({ accountId, key }) => rows.one(imports, where('account_id', 'key'), accountId, key),
    async save(file) {
      await rows.put(imports, file);
    },
  };
}
