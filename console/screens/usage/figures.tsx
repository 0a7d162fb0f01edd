import type { AccountStats } from '#dist/modules/client/index.js';

import { accountSession } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { formatMoney, formatNumber, formatShare, formatSize } from '../../format.ts';

/** What is stored now, the mean and the requests of the month, and the bill. */
export function StorageFigures({ stats: { usage, plan, billing, month } }: { readonly stats: AccountStats }) {
  const { usage: text } = messages();
  const share = plan.included > 0 ? usage.storage / plan.included : undefined;
  return (
    <div class="cards usage-figures">
      <section class="card">
        <h2>{text.storage}</h2>
        <p class="figure">{formatSize(usage.storage)}</p>
        {share !== undefined && <progress aria-label={text.share} max={1} value={Math.min(1, share)} />}
        <p class="hint">
          {share === undefined
            ? text.nothingIncluded
            : text.ofIncluded(formatShare(share), formatSize(plan.included), accountSession().account.plan)}
        </p>
      </section>
      <section class="card">
        <h2>{text.files}</h2>
        <p class="figure">{formatNumber(usage.objects)}</p>
        <p class="hint">{text.trash(formatNumber(usage.trash.objects), formatSize(usage.trash.storage))}</p>
      </section>
      <section class="card">
        <h2>{text.mean}</h2>
        <p class="figure">{month.days === 0 ? '–' : formatSize(month.average_storage)}</p>
        <p class="hint">{month.days === 0 ? text.noDays : text.days(formatNumber(month.days))}</p>
      </section>
      <section class="card">
        <h2>{text.monthsRequests}</h2>
        <p class="figure">{formatNumber(month.requests)}</p>
        <p class="hint">{text.monthsSent(formatSize(month.egress_bytes))}</p>
      </section>
      <section class="card">
        <h2>{text.bill}</h2>
        <p class="figure">{formatMoney(billing.totalEstimate)}</p>
        <p class="hint">
          {billing.extraStorage > 0 ? text.extra(formatSize(billing.extraStorage)) : text.noExtra}{' '}
          {text.price(formatMoney(0.2))}
        </p>
      </section>
    </div>
  );
}
