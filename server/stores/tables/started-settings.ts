import type { ShownSettings, StartedSettingsTable } from '#server/domain/configuration/table.ts';
import { json, record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const started = table('started_settings', record<{ settings: ShownSettings }>({ settings: json('settings') }));

/** The settings of the last start. */
export function startedSettingsTable(rows: Rows): StartedSettingsTable {
  return {
    find: async () => (await rows.one(started))?.settings,
    async save(settings) {
      const save = `INSERT INTO started_settings (one, settings) VALUES (1, ?)
        ON CONFLICT (one) DO UPDATE SET settings = excluded.settings`;
      await rows.write(save, JSON.stringify(settings));
    },
  };
}
