import type { RootKeysTable, WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { record } from './columns.ts';
import { table, type Rows, type UnopenedRows } from './rows.ts';

const roots = table(
  'root_keys',
  record<WrappedRoot>({ rootId: 'root_id', keyId: 'key_id', wrapped: 'wrapped', madeAt: 'made_at' }),
);

/** The root keys of encrypted blobs, as key-encryption keys have wrapped them. */
export function rootKeysTable(rows: Rows): RootKeysTable {
  return {
    list: async () => rows.all(roots, 'ORDER BY made_at DESC, root_id, key_id'),
    async add(root) {
      await rows.insert(roots, root);
    },
    removeOthers: async (keyId) => rows.run('DELETE FROM root_keys WHERE key_id <> ?', keyId),
  };
}

/** Returns the wrapped root keys of a database. One whose tables were never made has none. */
export async function findRootKeys({ rows, hasTable }: UnopenedRows): Promise<WrappedRoot[]> {
  return (await hasTable('root_keys')) ? rootKeysTable(rows).list() : [];
}
