import { useState } from 'preact/hooks';

import { getConfiguration } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SettingsTable } from './settings-table.tsx';

/** The settings in force. Those that were set are shown first; a search finds the others. */
export function Configuration() {
  const text = messages().overview;
  const [search, setSearch] = useState('');
  const settings = useResource((signal) => ask(getConfiguration({ signal })), []);
  const wanted = search.trim().toUpperCase();
  return (
    <section class="stack">
      <h2>{text.configuration}</h2>
      <p class="hint">{text.configurationHint}</p>
      <Field
        label={text.findSetting}
        type="search"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Loaded resource={settings}>
        {({ settings: all }) => (
          <SettingsTable
            settings={all.filter(({ name, source }) =>
              wanted === '' ? source === 'environment' : name.includes(wanted),
            )}
          />
        )}
      </Loaded>
    </section>
  );
}
