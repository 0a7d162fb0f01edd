import {
  getAccountAiUsage,
  getAccountUsage,
  type AccountStats,
  type ChatUsageGroup,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { isOn } from '../../app/config.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatCost, formatNumber, formatSize } from '../../format.ts';
import { StackedChart } from '../../ui/stacked-chart.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Table } from '../../ui/table.tsx';

/** What an account stores, and what it used of the AI gateway within 30 days. */
export function AccountUsage({ accountId }: { readonly accountId: string }) {
  const path = { account_id: accountId };
  const stats = useResource((signal) => ask(getAccountUsage({ path, signal })), [accountId]);
  return (
    <div class="stack">
      <Loaded resource={stats} lines={3}>
        {(loaded) => <Stored usage={loaded} />}
      </Loaded>
      {isOn('chat') && <AiUsage accountId={accountId} />}
    </div>
  );
}

function AiUsage({ accountId }: { readonly accountId: string }) {
  const path = { account_id: accountId };
  const ai = useResource((signal) => ask(getAccountAiUsage({ path, signal })), [accountId]);
  return (
    <Loaded resource={ai} lines={4}>
      {({ data, currency }) => <AiOfDays days={data} currency={currency} />}
    </Loaded>
  );
}

function Stored({ usage: { usage, plan, month } }: { readonly usage: AccountStats }) {
  const text = messages().accounts;
  return (
    <div class="cards">
      <Figure label={text.stored} value={formatSize(usage.storage)} note={text.included(formatSize(plan.included))} />
      <Figure label={text.files} value={formatNumber(usage.objects)} />
      <Figure
        label={text.trash}
        value={formatSize(usage.trash.storage)}
        note={text.trashFiles(formatNumber(usage.trash.objects))}
      />
      <Figure label={text.average} value={formatSize(month.average_storage)} note={text.averageNote} />
      <Figure
        label={messages().usage.monthsRequests}
        value={formatNumber(month.requests)}
        note={messages().usage.monthsSent(formatSize(month.egress_bytes))}
      />
    </div>
  );
}

/** What was used of the AI gateway on each day. */
function AiOfDays({
  days,
  currency,
}: {
  readonly days: readonly ChatUsageGroup[];
  /** Undefined in a server without prices. */
  readonly currency: string | undefined;
}) {
  const text = messages().accounts;
  if (days.length === 0)
    return (
      <Empty icon="spark" title={text.noAi}>
        <p>{text.noAiHint}</p>
      </Empty>
    );
  return (
    <>
      <section class="card">
        <h2>{text.aiOverTime}</h2>
        <StackedChart
          label={text.aiOverTime}
          times={days.map(({ day }) => Date.parse(day!) / 1000)}
          series={[
            {
              label: text.outputTokens,
              color: 'var(--accent)',
              values: days.map(({ output_tokens: tokens }) => tokens),
            },
            {
              label: text.inputTokens,
              color: 'var(--line)',
              values: days.map(({ input_tokens: tokens }) => tokens),
            },
          ]}
        />
      </section>
      <Table<ChatUsageGroup>
        label={text.aiOverTime}
        rows={days.toReversed()}
        keyOf={({ day }) => day!}
        columns={[
          { title: text.day, cell: ({ day }) => day },
          { title: text.requests, cell: ({ requests }) => formatNumber(requests), isNumber: true },
          { title: text.inputTokens, cell: ({ input_tokens: tokens }) => formatNumber(tokens), isNumber: true },
          { title: text.outputTokens, cell: ({ output_tokens: tokens }) => formatNumber(tokens), isNumber: true },
          ...(currency === undefined
            ? []
            : [
                {
                  title: messages().chat.cost,
                  cell: ({ cost }: ChatUsageGroup) => formatCost(cost, currency),
                  isNumber: true,
                },
              ]),
        ]}
      />
    </>
  );
}
