import { useState } from 'preact/hooks';

import { listAiRequests, type AiRequest } from '#generated/client/index.js';

import { send } from '../../app/api.ts';
import { saveCsv } from '../../app/csv.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AiProblem, aiErrorWords } from './problem.tsx';

const noFilters = { key: '', model: '', outcome: '' };

/** The list of requests to models, if the operator keeps one. */
export function AiRequests() {
  const { ai, usage } = words();
  const [typed, setTyped] = useState(noFilters);
  const [filters, setFilters] = useState(noFilters);
  const [keptDays, setKeptDays] = useState<number>();
  const pages = usePages<AiRequest>(
    async (cursor, signal) => {
      const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
      const page = await send(listAiRequests({ query: { ...set, ...(cursor !== undefined && { cursor }) }, signal }));
      setKeptDays(page.kept_days);
      return { items: page.requests, next: page.continuationToken };
    },
    [filters],
  );
  if (pages.error !== undefined && !pages.items) return <AiProblem error={pages.error} onRetry={pages.reload} />;
  if (!pages.items) return <Skeleton />;
  if (keptDays === 0)
    return (
      <Empty icon="list" title={ai.notKept}>
        <p>{ai.notKeptLead}</p>
        <code>CUBBY_AI_LOG_DAYS</code>
      </Empty>
    );
  const set = (name: keyof typeof noFilters) => ({
    value: typed[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value.trim() }),
  });
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setFilters(typed);
        }}
      >
        <Field label={ai.keyId} {...set('key')} />
        <Field label={ai.model} {...set('model')} />
        <Field label={ai.outcome} {...set('outcome')} />
        <div class="actions">
          <Button type="submit">{ai.filter}</Button>
          <Button icon="download" disabled={pages.items.length === 0} onClick={() => save(pages.items ?? [])}>
            {usage.save}
          </Button>
        </div>
      </form>
      <p class="hint">{ai.keptFor(formatNumber(keptDays ?? 0))}</p>
      {pages.items.length === 0 ? (
        <Empty icon="list" title={ai.noRequests} />
      ) : (
        <Table
          label={ai.tabRequests}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            { key: 'at', title: ai.at, cell: ({ at }) => <Time at={at} /> },
            { key: 'model', title: ai.model, cell: ({ model }) => model },
            { key: 'outcome', title: ai.outcome, cell: ({ outcome }) => <Outcome code={outcome} /> },
            {
              key: 'tokens',
              title: ai.tokens,
              isNumber: true,
              cell: (request) => `${formatNumber(request.input_tokens)} + ${formatNumber(request.output_tokens)}`,
            },
            {
              key: 'duration',
              title: ai.duration,
              isNumber: true,
              cell: ({ duration_ms: ms }) => `${formatNumber(ms / 1000, 2)} s`,
            },
            { key: 'key', title: ai.keyId, isExtra: true, cell: ({ key_id: id }) => <code>{id}</code> },
            { key: 'route', title: ai.route, isExtra: true, cell: ({ operation }) => operation },
          ]}
        />
      )}
      <More pages={pages} />
    </>
  );
}

function Outcome({ code }: { readonly code: string }) {
  const { ai } = words();
  if (code === 'answered') return <span class="badge good">{ai.answered}</span>;
  return (
    <span title={aiErrorWords(code)} class="badge bad">
      {code === 'aborted' ? ai.aborted : code}
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
