import type { Activity } from '#generated/client/index.js';

import { words } from '../../app/words.ts';
import { Choice, Field } from '../../ui/field.tsx';
import type { Filters } from './filters.ts';

/** Chooses which of the entries are shown. */
export function ActivityFilters({
  filters,
  entries,
  onChange,
}: {
  readonly filters: Filters;
  readonly entries: readonly Activity[];
  readonly onChange: (filters: Filters) => void;
}) {
  const { activity } = words();
  const names: Readonly<Record<string, string>> = activity.types;
  const auths: Readonly<Record<string, string>> = activity.auths;
  const types = [...new Set([...entries.map(({ type }) => type), ...(filters.type === '' ? [] : [filters.type])])];
  return (
    <div class="activity-filters" role="search" aria-label={activity.filters}>
      <Choice
        label={activity.what}
        value={filters.type}
        options={[['', activity.everything], ...types.toSorted().map((type) => [type, names[type] ?? type] as const)]}
        onChoose={(type) => onChange({ ...filters, type })}
      />
      <Choice
        label={activity.by}
        value={filters.auth}
        options={[['', activity.everything], ...Object.entries(auths)]}
        onChoose={(auth) => onChange({ ...filters, auth })}
      />
      <Field
        label={activity.text}
        type="search"
        value={filters.text}
        onInput={({ currentTarget }) => onChange({ ...filters, text: currentTarget.value })}
      />
      <Field
        label={activity.from}
        type="date"
        value={filters.from}
        onInput={({ currentTarget }) => onChange({ ...filters, from: currentTarget.value })}
      />
      <Field
        label={activity.to}
        type="date"
        value={filters.to}
        onInput={({ currentTarget }) => onChange({ ...filters, to: currentTarget.value })}
      />
    </div>
  );
}
