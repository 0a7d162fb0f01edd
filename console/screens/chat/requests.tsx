import { useState } from 'preact/hooks';

import { listAiRequests, listKeys, type AiRequest } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { saveCsv } from '../../app/csv.ts';
import { hasScope, session } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatCost, formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AiProblem, aiErrorText } from './problem.tsx';

const noFilters = { key: '', model: '', outcome: '' };

/** The list of requests to models, if the operator keeps one. */
export function AiRequests() {
  const { chat } = messages();
  const [filters, setFilters] = useState(noFilters);
  const [keptDays, setKeptDays] = useState<number>();
  const [currency, setCurrency] = useState<string>();
  const names = useKeyNames();
  const pages = usePages<AiRequest>(
    async (after, signal) => {
      const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
      const page = await send(listAiRequests({ query: { ...set, ...after }, signal }));
      setKeptDays(page.kept_days);
      setCurrency(page.currency);
      return { items: page.requests, next: page.continuationToken };
    },
    [filters],
  );
  if (pages.error !== undefined && !pages.items) return <AiProblem error={pages.error} onRetry={pages.reload} />;
  if (!pages.items) return <Skeleton />;
  if (keptDays === 0)
    return (
      <Empty icon="list" title={chat.notKept}>
        <p>{chat.notKeptLead}</p>
        <code>CUBBY_AI_LOG_DAYS</code>
      </Empty>
    );
  return (
    <>
      <RequestFilters names={names} requests={pages.items} onFilter={setFilters} />
      <p class="hint">{chat.keptFor(formatNumber(keptDays ?? 0))}</p>
      {pages.items.length === 0 ? (
        <Empty icon="list" title={chat.noRequests} />
      ) : (
        <RequestTable names={names} requests={pages.items} currency={currency} />
      )}
      <More pages={pages} />
    </>
  );
}

/** The names of the keys by their ids. A key that may not read them knows its own. */
function useKeyNames(): ReadonlyMap<string, string> {
  const all = useResource(async (signal) => (hasScope('*') ? (await ask(listKeys({ signal }))).keys : undefined), []);
  const own = session.value?.key;
  return new Map((all.data ?? (own ? [own] : [])).map(({ id, name, last4 }) => [id, `${name} …${last4}`] as const));
}

function Outcome({ code }: { readonly code: string }) {
  const { chat } = messages();
  if (code === 'answered') return <span class="badge good">{chat.answered}</span>;
  return (
    <span title={aiErrorText(code)} class="badge bad">
      {code === 'aborted' ? chat.aborted : code}
    </span>
  );
}

function save(requests: readonly AiRequest[]): void {
  const names = [
    'at',
    'id',
    'request_id',
    'key_id',
    'model',
    'operation',
    'outcome',
    'input_tokens',
    'output_tokens',
    'cost',
    'duration_ms',
    'first_token_ms',
    'upstream_attempts',
  ] as const;
  saveCsv(
    'cubby-ai-requests.csv',
    names,
    requests.map((request) => names.map((name) => request[name])),
  );
}

interface Listed {
  /** The names of the keys by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly requests: readonly AiRequest[];
}

function RequestFilters({
  names,
  requests,
  onFilter,
}: Listed & { readonly onFilter: (filters: typeof noFilters) => void }) {
  const { chat, usage } = messages();
  const [typed, setTyped] = useState(noFilters);
  const set = (name: keyof typeof noFilters) => ({
    value: typed[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value.trim() }),
  });
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(typed);
      }}
    >
      {names.size > 1 ? (
        <Choice
          label={chat.key}
          value={typed.key}
          options={[['', chat.allKeys], ...names]}
          onChoose={(key) => setTyped({ ...typed, key })}
        />
      ) : (
        <Field label={chat.keyId} {...set('key')} />
      )}
      <Field label={chat.model} {...set('model')} />
      <Field label={chat.outcome} {...set('outcome')} />
      <div class="actions">
        <Button type="submit">{chat.filter}</Button>
        <Button icon="download" disabled={requests.length === 0} onClick={() => save(requests)}>
          {usage.save}
        </Button>
      </div>
    </form>
  );
}

function RequestTable({ names, requests, currency }: Listed & { readonly currency: string | undefined }) {
  const { chat } = messages();
  return (
    <Table
      label={chat.tabRequests}
      rows={requests}
      keyOf={({ id }) => id}
      columns={[
        { title: chat.at, cell: ({ at }) => <Time at={at} /> },
        { title: chat.model, cell: ({ model }) => model },
        { title: chat.outcome, cell: ({ outcome }) => <Outcome code={outcome} /> },
        {
          title: chat.tokens,
          isNumber: true,
          cell: (request) => `${formatNumber(request.input_tokens)} + ${formatNumber(request.output_tokens)}`,
        },
        ...(currency === undefined
          ? []
          : [{ title: chat.cost, isNumber: true, cell: ({ cost }: AiRequest) => formatCost(cost, currency) }]),
        { title: chat.duration, isNumber: true, cell: ({ duration_ms: ms }) => `${formatNumber(ms / 1000, 2)} s` },
        { title: chat.key, cell: ({ key_id: id }) => <bdi title={id}>{names.get(id) ?? <code>{id}</code>}</bdi> },
        { title: chat.route, isExtra: true, cell: ({ operation }) => operation },
      ]}
    />
  );
}
