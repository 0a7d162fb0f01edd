import { listKeys } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Choice, Field } from '../../ui/field.tsx';
import type { Filters } from './filters.ts';

/** Chooses which entries the server lists, and which of the loaded ones are shown. */
export function ActivityFilters({
  filters,
  text,
  onChange,
  onText,
}: {
  readonly filters: Filters;
  readonly text: string;
  readonly onChange: (filters: Filters) => void;
  readonly onText: (text: string) => void;
}) {
  const { activity } = messages();
  const everything = ['', activity.everything] as const;
  return (
    <div class="activity-filters" role="search" aria-label={activity.filters}>
      <Choice
        label={activity.what}
        value={filters.type}
        options={[everything, ...Object.entries(activity.types)]}
        onChoose={(type) => onChange({ ...filters, type })}
      />
      <Choice
        label={activity.by}
        value={filters.auth}
        options={[everything, ...Object.entries(activity.auths)]}
        onChoose={(auth) => onChange({ ...filters, auth })}
      />
      <KeyChoice value={filters.key} onChoose={(key) => onChange({ ...filters, key })} />
      <Field
        label={activity.prefix}
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={filters.prefix}
        onChange={({ currentTarget }) => onChange({ ...filters, prefix: currentTarget.value.trim() })}
      />
      <Field
        label={activity.from}
        type="date"
        value={filters.from}
        onChange={({ currentTarget }) => onChange({ ...filters, from: currentTarget.value })}
      />
      <Field
        label={activity.to}
        type="date"
        value={filters.to}
        onChange={({ currentTarget }) => onChange({ ...filters, to: currentTarget.value })}
      />
      <Field
        label={activity.text}
        type="search"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </div>
  );
}

/** Chooses a key by its name. Without the right to see keys, only one that the address or an entry names. */
function KeyChoice({ value, onChoose }: { readonly value: string; readonly onChoose: (key: string) => void }) {
  const { activity } = messages();
  const mayList = hasScope('*');
  const list = useResource(async (signal) => (mayList ? ask(listKeys({ signal })) : { keys: [] }), []);
  const known = list.data?.keys ?? [];
  if (!mayList && value === '') return null;
  const options = known.map(({ id, name, last4 }) => [id, `${name} (…${last4})`] as const);
  const other = value !== '' && !known.some(({ id }) => id === value) ? [[value, value] as const] : [];
  return (
    <Choice
      label={activity.key}
      value={value}
      options={[['', activity.everything], ...options, ...other]}
      onChoose={onChoose}
    />
  );
}
