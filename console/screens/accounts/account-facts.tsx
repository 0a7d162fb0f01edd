import type { OperatorAccount } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountState } from './account-state.tsx';

/** Returns the limits with the names that commands and the contract give them. */
function limitsText(limits: NonNullable<OperatorAccount['own_ai_limits']>): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name} ${formatNumber(limit, 9)}`)
    .join(', ');
}

export function AccountFacts({ account }: { readonly account: OperatorAccount & { readonly live_keys?: number } }) {
  const text = messages().accounts;
  const { used_bytes: used, quota_bytes: quota } = account;
  return (
    <section class="card">
      <Facts
        rows={[
          [text.state, <AccountState account={account} />],
          [text.id, <Copyable text={account.account_id} label={text.copyId} />],
          [text.plan, text.plans[account.plan]],
          [
            text.used,
            <>
              {text.of(formatSize(used), formatSize(quota))}
              <Progress label={text.used} share={quota > 0 ? Math.min(1, used / quota) : 1} />
            </>,
          ],
          [text.files, formatNumber(account.used_objects)],
          [text.quota, account.own_quota_bytes === null ? text.ofPlan : formatSize(account.own_quota_bytes)],
          [
            text.aiBudget,
            account.own_ai_budget === null ? text.ofPlan : text.tokensADay(formatNumber(account.own_ai_budget)),
          ],
          [text.aiLimits, account.own_ai_limits === null ? text.ofPlan : limitsText(account.own_ai_limits)],
          [text.liveKeys, account.live_keys !== undefined && formatNumber(account.live_keys)],
          [text.created, <Time at={account.created_at} />],
          [text.suspendedAt, account.suspended_at && <Time at={account.suspended_at} />],
          [text.deletedAt, account.deleted_at && <Time at={account.deleted_at} />],
          [text.removedFrom, account.removed_from && <Time at={account.removed_from} />],
        ]}
      />
    </section>
  );
}
