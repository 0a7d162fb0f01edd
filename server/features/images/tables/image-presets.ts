import type { NamedPreset } from '../preset.ts';
import type { ImagePresetsTable } from '../presets-table.ts';
import { json, record, type Fields } from '#server/stores/tables/columns.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';

const fields: Fields<NamedPreset> = { name: 'name', variant: json('variant') };

const presets = table('image_presets', record<NamedPreset>(fields));
const newPresets = table(
  'image_presets',
  record<NamedPreset & { accountId: string }>({ accountId: 'account_id', ...fields }),
);

/** The presets of accounts for image variants. Each request for a variant reads them. */
export function imagePresetsTable(rows: Rows): ImagePresetsTable {
  return {
    listOf: async (accountId) => rows.allCached(presets, 'WHERE account_id = ? ORDER BY name', accountId),
    async replaceAll(accountId, replacing) {
      await rows.write('DELETE FROM image_presets WHERE account_id = ?', accountId);
      for (const preset of replacing) await rows.insert(newPresets, { ...preset, accountId });
    },
  };
}
