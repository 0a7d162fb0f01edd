import './limits.css';

import { getChatUsage, type ChatCostWindow, type ChatUsageWindow } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatCost, formatNumber } from '../../format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { AiProblem } from './problem.tsx';

/** What the AI gateway has charged today and this week, against the limits of the plan and of the key. */
export function AiLimits({ turn }: { readonly turn: number }) {
  const { chat } = messages();
  const { data, error, reload } = useResource((signal) => send(getChatUsage({ signal })), [turn]);
  // A plan without models is no failure.
  if (error instanceof ApiError && error.code === 'upgrade_required')
    return <p class="hint">{chat.errors.upgrade_required}</p>;
  if (error !== undefined && !data) return <AiProblem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={3} />;
  return (
    <div class="ai-limits">
      <Limits
        title={chat.today}
        currency={data.currency}
        rows={[
          [chat.requests, data.requests.today],
          [chat.tokens, data.tokens.today],
          [chat.spend, data.spend.today],
        ]}
        cost={data.cost}
      />
      <Limits
        title={chat.week}
        rows={[
          [chat.requests, data.requests.week],
          [chat.tokens, data.tokens.week],
          [chat.spend, data.spend.week],
        ]}
      />
      {data.key && (
        <Limits
          title={chat.ofKey}
          currency={data.currency}
          rows={[
            [chat.perMinute, data.key.minute],
            [chat.requests, data.key.requests],
            [chat.tokens, data.key.tokens],
            [chat.spend, data.key.spend],
          ]}
          cost={data.key.cost}
        />
      )}
    </div>
  );
}

function Limits({
  title,
  rows,
  cost,
  currency,
}: {
  readonly title: string;
  readonly rows: ReadonlyArray<readonly [string, ChatUsageWindow]>;
  readonly cost?: ChatCostWindow;
  /** Undefined in a server without prices, which shows no cost. */
  readonly currency?: string | undefined;
}) {
  const { chat } = messages();
  return (
    <section>
      <h3>{title}</h3>
      {rows.map(([name, amount]) => (
        <Limit key={name} name={name} amount={amount} format={formatNumber} />
      ))}
      {cost && currency !== undefined && (
        <Limit name={chat.cost} amount={cost} format={(value) => formatCost(value, currency)} />
      )}
      <p class="hint">
        {chat.resets} <Time at={rows.at(-1)![1].resets_at} />
      </p>
    </section>
  );
}

function Limit({
  name,
  amount: { used, limit },
  format,
}: {
  readonly name: string;
  readonly amount: Pick<ChatUsageWindow, 'used' | 'limit'>;
  readonly format: (value: number) => string;
}) {
  const { chat } = messages();
  return (
    <div class="ai-limit">
      <span>{name}</span>
      <span class="number">
        {limit === null ? chat.noLimit(format(used)) : chat.ofLimit(format(used), format(limit))}
      </span>
      {limit !== null && <progress aria-label={name} max={limit || 1} value={Math.min(used, limit)} />}
    </div>
  );
}
