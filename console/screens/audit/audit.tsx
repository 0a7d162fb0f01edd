import { useState } from 'preact/hooks';

import { listAuditEntries, type OperatorAuditEntry } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages, type Pages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { matchesEntry } from './matches-entry.ts';
import { openEntry } from './entry-dialog.tsx';
import { openVerify } from './verify-dialog.tsx';

const spans = { day: 1, week: 7, month: 30, all: undefined } as const;
type Span = keyof typeof spans;

/** What operators, keys and the server did, and a check that nothing of it was changed. */
export default function Audit() {
  const text = messages().audit;
  const [span, setSpan] = useState<Span>('week');
  const [search, setSearch] = useState('');
  const [from, setFrom] = useState(Date.now);
  const pages = useEntries(span, from);
  const found = pages.items?.filter((entry) => matchesEntry(entry, search)).toReversed();
  return (
    <Screen
      title={messages().screens.audit}
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
          options={(['day', 'week', 'month', 'all'] as const).map((one) => [one, text.spans[one]])}
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
      <Listed
        pages={{ ...pages, items: found }}
        empty={
          <Empty icon="shield" title={text.none}>
            <p>{text.noneHint}</p>
          </Empty>
        }
      >
        {(entries) => <EntryTable entries={entries} />}
      </Listed>
    </Screen>
  );
}

/** Reads the entries of a span that ends at an instant. */
function useEntries(span: Span, fromMs: number): Pages<OperatorAuditEntry> {
  return usePages(
    async (after, signal) => {
      const days = spans[span];
      const since = days === undefined ? undefined : new Date(fromMs - days * 86_400_000).toISOString();
      const query = { limit: 500, ...(since !== undefined && { since }), ...after };
      const page = await ask(listAuditEntries({ query, signal }));
      return { items: page.entries, next: page.continuationToken };
    },
    [span, fromMs],
  );
}

function EntryTable({ entries }: { readonly entries: readonly OperatorAuditEntry[] }) {
  const text = messages().audit;
  return (
    <Table<OperatorAuditEntry>
      label={messages().screens.audit}
      rows={entries}
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        {
          title: text.action,
          cell: (entry) => (
            <button type="button" class="link" onClick={() => void openEntry(entry)}>
              <code>{entry.action}</code>
            </button>
          ),
        },
        { title: text.when, cell: ({ at }) => <Time at={at} /> },
        {
          title: text.actor,
          cell: ({ actor }) => (
            <>
              {text.actors[actor.kind]} {actor.id !== null && <code>{actor.id}</code>}
            </>
          ),
        },
        { title: text.subject, cell: ({ subject }) => subject !== null && <code class="long">{subject}</code> },
        { title: text.address, cell: ({ actor }) => actor.address ?? '', isExtra: true },
      ]}
    />
  );
}
