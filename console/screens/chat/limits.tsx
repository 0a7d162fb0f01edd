import './limits.css';

import { getChatUsage, type ChatUsageWindow } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
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
        rows={[
          [chat.requests, data.requests.today],
          [chat.tokens, data.tokens.today],
          [chat.spend, data.spend.today],
        ]}
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
          rows={[
            [chat.perMinute, data.key.minute],
            [chat.requests, data.key.requests],
            [chat.tokens, data.key.tokens],
            [chat.spend, data.key.spend],
          ]}
        />
      )}
    </div>
  );
}

function Limits({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: ReadonlyArray<readonly [string, ChatUsageWindow]>;
}) {
  const { chat } = messages();
  return (
    <section>
      <h3>{title}</h3>
      {rows.map(([name, { used, limit }]) => (
        <div key={name} class="ai-limit">
          <span>{name}</span>
          <span class="number">
            {limit === null ? chat.noLimit(formatNumber(used)) : chat.ofLimit(formatNumber(used), formatNumber(limit))}
          </span>
          {limit !== null && <progress aria-label={name} max={Math.max(1, limit)} value={Math.min(used, limit)} />}
        </div>
      ))}
      <p class="hint">
        {chat.resets} <Time at={rows.at(-1)![1].resets_at} />
      </p>
    </section>
  );
}
