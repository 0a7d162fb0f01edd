import { useMemo, useState } from 'preact/hooks';

import { getChatUsageHistory, type ChatUsageGroup } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { saveCsv } from '../../app/csv.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatCost, formatDay, formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { firstOf, type Range } from '../usage/days.ts';
import { RangeChoice } from '../usage/range-choice.tsx';
import { AiProblem } from './problem.tsx';
import { sumsBy, tokensOfDays, type Dimension, type Sum } from './sums.ts';

interface History {
  readonly from: string;
  readonly to: string;
  /** Undefined in a server without prices. */
  readonly currency: string | undefined;
  readonly groups: readonly ChatUsageGroup[];
}

/** A page has a thousand groups. More pages than these would keep the page waiting. */
const mostPages = 20;

async function readHistory(range: Range, signal: AbortSignal): Promise<History> {
  const groups: ChatUsageGroup[] = [];
  for (let page = 1; ; page++) {
    const query = { from: firstOf(range), group_by: 'day,key,model', page };
    const { from, to, currency, data, has_more: hasMore } = await send(getChatUsageHistory({ query, signal }));
    groups.push(...data);
    if (!hasMore || page === mostPages) return { from, to, currency, groups };
  }
}

/** What was charged, by day, key and model. */
export function AiUsage() {
  const { chat, usage } = messages();
  const [range, setRange] = useState<Range>('30');
  const [chosen, setChosen] = useState<Chosen>({ by: 'day', key: '', model: '' });
  const { key, model } = chosen;
  const { data, error, reload } = useResource((signal) => readHistory(range, signal), [range]);
  const groups = useMemo(
    () =>
      (data?.groups ?? []).filter(
        (group) => (key === '' || group.key_id === key) && (model === '' || group.model === model),
      ),
    [data, key, model],
  );
  if (error !== undefined && !data) return <AiProblem error={error} onRetry={reload} />;
  return (
    <section class="card" aria-label={chat.tabUsage}>
      <div class="filters">
        <RangeChoice value={range} onChoose={setRange} />
        <Choices all={data?.groups ?? []} value={chosen} onChange={setChosen} />
        <Button icon="download" disabled={groups.length === 0} onClick={() => save(groups)}>
          {usage.save}
        </Button>
      </div>
      {!data ? (
        <Skeleton />
      ) : data.groups.length === 0 ? (
        <Empty icon="chart" title={chat.noUsage}>
          <p>{chat.noUsageLead}</p>
        </Empty>
      ) : (
        <Sums history={data} groups={groups} by={chosen.by} />
      )}
    </section>
  );
}

function save(groups: readonly ChatUsageGroup[]): void {
  saveCsv(
    'cubby-ai-usage.csv',
    [
      ...['day', 'key_id', 'key_name', 'model', 'requests', 'input_tokens', 'output_tokens', 'spend', 'cost'],
      'cached_requests',
    ],
    groups.map((group) => [
      ...[group.day, group.key_id, group.key_name, group.model, group.requests],
      ...[group.input_tokens, group.output_tokens, group.spend, group.cost, group.cached_requests],
    ]),
  );
}

interface Chosen {
  readonly by: Dimension;
  /** Empty for all. */
  readonly key: string;
  readonly model: string;
}

function Choices({
  all,
  value,
  onChange,
}: {
  readonly all: readonly ChatUsageGroup[];
  readonly value: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}) {
  const { chat, usage } = messages();
  const { chosen } = formInputs(value, onChange);
  const namesOf = (dimension: Dimension) => sumsBy(dimension, all).map(({ id, name }) => [id, name] as const);
  return (
    <>
      <Choice label={chat.key} options={[['', chat.allKeys], ...namesOf('key')]} {...chosen('key')} />
      <Choice label={chat.model} options={[['', chat.allModels], ...namesOf('model')]} {...chosen('model')} />
      <Choice
        label={chat.by}
        options={[
          ['day', usage.day],
          ['key', chat.key],
          ['model', chat.model],
        ]}
        {...chosen('by')}
      />
    </>
  );
}

/** The tokens of each day as a chart, and the sums as a table. */
function Sums({
  history: { from, to, currency },
  groups,
  by,
}: {
  readonly history: History;
  readonly groups: readonly ChatUsageGroup[];
  readonly by: Dimension;
}) {
  const { chat, usage } = messages();
  const { days, tokens } = useMemo(() => tokensOfDays(from, to, groups), [from, to, groups]);
  const number = (value: number) => formatNumber(value);
  return (
    <>
      <Chart label={chat.tokensOfDay} days={days} values={tokens} format={number} kind="bars" />
      <Table
        label={chat.tabUsage}
        rows={sumsBy(by, groups)}
        keyOf={({ id }) => id}
        columns={[
          {
            title: by === 'day' ? usage.day : by === 'key' ? chat.key : chat.model,
            cell: ({ name }) => (by === 'day' ? formatDay(name) : name),
          },
          { title: chat.requests, isNumber: true, cell: ({ requests }) => number(requests) },
          { title: chat.input, isNumber: true, cell: ({ inputTokens }) => number(inputTokens) },
          { title: chat.output, isNumber: true, cell: ({ outputTokens }) => number(outputTokens) },
          { title: chat.spend, isNumber: true, cell: ({ spend }) => number(spend) },
          ...(currency === undefined
            ? []
            : [{ title: chat.cost, isNumber: true, cell: ({ cost }: Sum) => formatCost(cost, currency) }]),
          { title: chat.cached, isNumber: true, isExtra: true, cell: ({ cached }) => number(cached) },
        ]}
      />
    </>
  );
}
