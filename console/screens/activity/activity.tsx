import './activity.css';

import { useMemo, useState } from 'preact/hooks';

import { listActivity, type Activity as Entry } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { saveCsv } from '../../app/csv.ts';
import { href, navigate, route } from '../../app/router.ts';
import { usePages, type Pages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { keyOf } from '../../files/object-id.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { More } from '../../ui/more.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { plainName } from '../../ui/plain-text.ts';
import { Time } from '../../ui/time.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { filtersIn, noFilters, queryOf, setFilters, subjectOf, thatContain, type Filters } from './filters.ts';
import { ActivityFilters } from './filter-form.tsx';

/** What happened in the account, newest first. */
export default function Activity() {
  const { activity, screens, usage } = messages();
  const filters = filtersIn(route.value.query);
  const [text, setText] = useState('');
  const pages = usePages<Entry>(
    async (after, signal) => {
      const query = { ...queryOf(filters), ...after };
      const page = await ask(listActivity({ query, signal }));
      return { items: page.activity, next: page.continuationToken };
    },
    [filters],
  );
  const all = pages.items;
  const shown = useMemo(() => thatContain(all ?? [], text), [all, text]);
  const isFiltered = Object.keys(setFilters(filters)).length > 0;
  return (
    <Screen
      title={screens.activity}
      lead={activity.lead}
      actions={
        <>
          <Button icon="refresh" onClick={pages.reload}>
            {activity.refresh}
          </Button>
          <Button icon="download" disabled={shown.length === 0} onClick={() => save(shown)}>
            {usage.save}
          </Button>
        </>
      }
    >
      <ActivityFilters filters={filters} text={text} onChange={show} onText={setText} />
      <Entries
        pages={pages}
        shown={shown}
        isFiltered={isFiltered}
        onClear={() => {
          setText('');
          show(noFilters);
        }}
      />
      <More pages={pages} />
    </Screen>
  );
}

/** Shows other entries. The address names the filters, so that it can be sent to others. */
function show(filters: Filters): void {
  navigate(href(['activity'], setFilters(filters)), { replace: true });
}

function save(entries: readonly Entry[]): void {
  saveCsv(
    'cubby-activity.csv',
    ['at', 'type', 'object', 'auth', 'source_ip', 'user_agent', 'key_id', 'details', 'id'],
    entries.map(({ at, type, object, auth, source_ip: ip, user_agent: agent, key_id: key, details, id }) => [
      ...[at, type, object, auth, ip, agent, key, JSON.stringify(details), id],
    ]),
  );
}

function Entries({
  pages: { items: all, error, hasMore },
  shown,
  isFiltered,
  onClear,
}: {
  readonly pages: Pages<Entry>;
  readonly shown: readonly Entry[];
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const { activity } = messages();
  const clear = <Button onClick={onClear}>{activity.clear}</Button>;
  if (all === undefined) {
    if (error === undefined) return <Skeleton />;
    // The address may name what the server does not know.
    return isFiltered ? <p>{clear}</p> : null;
  }
  if (all.length === 0 && !isFiltered && !hasMore)
    return (
      <Empty icon="clock" title={activity.empty}>
        <p>{activity.emptyLead}</p>
      </Empty>
    );
  return (
    <>
      <p class="hint activity-count" role="status">
        {activity.shown(formatNumber(shown.length), formatNumber(all.length))} {hasMore && activity.older}
      </p>
      {shown.length === 0 ? (
        <Empty icon="search" title={activity.noMatch}>
          {clear}
        </Empty>
      ) : (
        <EntryTable entries={shown} />
      )}
    </>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  const { activity, screens } = messages();
  return (
    <Table
      label={screens.activity}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: activity.what, cell: ({ type }) => <span class="unbroken">{activity.types[type] ?? type}</span> },
        {
          title: activity.subject,
          cell: (entry) => (
            <span dir="auto" title={entry.object && plainName(keyOf(entry.object))}>
              {subjectOf(entry)}
            </span>
          ),
        },
        { title: activity.at, cell: ({ at }) => <Time at={at} /> },
        {
          title: activity.by,
          isExtra: true,
          cell: ({ auth }) => <span class="unbroken">{activity.auths[auth] ?? auth}</span>,
        },
        {
          title: activity.address,
          isExtra: true,
          cell: ({ source_ip: ip }) => <span class="unbroken">{ip ?? '–'}</span>,
        },
      ]}
      actions={(entry) => (
        <Button
          kind="quiet"
          aria-label={activity.detailsOf(activity.types[entry.type] ?? entry.type)}
          onClick={() => void openDialog((close) => <EntryDialog entry={entry} onClose={() => close()} />)}
        >
          {activity.details}
        </Button>
      )}
    />
  );
}
