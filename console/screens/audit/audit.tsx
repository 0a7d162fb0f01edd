import { useState } from 'preact/hooks';

import { listAuditEntries, type OperatorAuditEntry } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { matchesEntry } from './matches-entry.ts';
import { openEntry } from './entry-dialog.tsx';
import { openVerify } from './verify-dialog.tsx';

const spans = { day: 1, week: 7, month: 30, all: undefined } as const;
type Span = keyof typeof spans;

/** What operators, keys and the server did, and a check that nothing of it was changed. */
export default function Audit() {
  const text = words().audit;
  const [span, setSpan] = useState<Span>('week');
  const [search, setSearch] = useState('');
  const [from, setFrom] = useState(Date.now);
  const pages = usePages(
    async (cursor, signal) => {
      const days = spans[span];
      const since = days === undefined ? undefined : new Date(from - days * 86_400_000).toISOString();
      const query = { limit: 500, ...(since !== undefined && { since }), ...(cursor !== undefined && { cursor }) };
      const page = await ask(listAuditEntries({ query, signal }));
      return { items: page.entries, next: page.continuationToken };
    },
    [span, from],
  );
  const found = pages.items?.filter((entry) => matchesEntry(entry, search)).toReversed();
  return (
    <Screen
      title={words().screens.audit}
      lead={text.lead}
      actions={
        <Button icon="shield" onClick={() => void openVerify()}>
          {text.verify}
        </Button>
      }
    >
      <div class="filters">
        <Choice<Span>
          label={text.since}
          value={span}
          options={[
            ['day', text.spans.day],
            ['week', text.spans.week],
            ['month', text.spans.month],
            ['all', text.spans.all],
          ]}
          onChoose={setSpan}
        />
        <Field
          label={text.search}
          type="search"
          value={search}
          placeholder={text.searchExample}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Button
          icon="refresh"
          isBusy={pages.isLoading && pages.items !== undefined}
          onClick={() => setFrom(Date.now())}
        >
          {text.refresh}
        </Button>
      </div>
      {pages.hasMore && pages.items && <p class="note">{text.partly(formatNumber(pages.items.length))}</p>}
      {!found && pages.error === undefined && <Skeleton />}
      {found?.length === 0 && (
        <Empty icon="shield" title={text.none}>
          <p>{text.noneHint}</p>
        </Empty>
      )}
      {found && found.length > 0 && (
        <Table<OperatorAuditEntry>
          label={words().screens.audit}
          rows={found}
          keyOf={({ sequence }) => String(sequence)}
          columns={[
            {
              key: 'action',
              title: text.action,
              cell: (entry) => (
                <button type="button" class="link" onClick={() => void openEntry(entry)}>
                  <code>{entry.action}</code>
                </button>
              ),
            },
            { key: 'at', title: text.when, cell: ({ at }) => <Time at={at} /> },
            {
              key: 'actor',
              title: text.actor,
              cell: ({ actor }) => (
                <>
                  {text.actors[actor.kind]} {actor.id !== null && <code>{actor.id}</code>}
                </>
              ),
            },
            {
              key: 'subject',
              title: text.subject,
              cell: ({ subject }) => subject !== null && <code class="long">{subject}</code>,
            },
            {
              key: 'address',
              title: text.address,
              cell: ({ actor }) => actor.address ?? '',
              isExtra: true,
            },
          ]}
        />
      )}
      <More pages={pages} />
    </Screen>
  );
}
