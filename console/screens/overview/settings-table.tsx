import type { OperatorConfiguration } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Table } from '../../ui/table.tsx';

export function SettingsTable({ settings }: { readonly settings: OperatorConfiguration['settings'] }) {
  const text = messages().overview;
  if (settings.length === 0) return <p class="quiet">{text.noSettings}</p>;
  return (
    <Table
      label={text.configuration}
      rows={settings}
      keyOf={({ name }) => name}
      columns={[
        { title: text.setting, cell: ({ name }) => <code>{name}</code> },
        { title: text.value, cell: ({ value }) => (value === null ? messages().common.none : <code>{value}</code>) },
        { title: text.source, cell: ({ source }) => text.sources[source], isExtra: true },
      ]}
    />
  );
}
