import type { OperatorConfiguration } from '#dist/modules/client/index.js';

import { words } from '../../app/words.ts';
import { Table } from '../../ui/table.tsx';

export function SettingsTable({ settings }: { readonly settings: OperatorConfiguration['settings'] }) {
  const text = words().overview;
  if (settings.length === 0) return <p class="quiet">{text.noSettings}</p>;
  return (
    <Table
      label={text.configuration}
      rows={settings}
      keyOf={({ name }) => name}
      columns={[
        { title: text.setting, cell: ({ name }) => <code>{name}</code> },
        { title: text.value, cell: ({ value }) => (value === null ? words().common.none : <code>{value}</code>) },
        { title: text.source, cell: ({ source }) => text.sources[source], isExtra: true },
      ]}
    />
  );
}
