import { scarcest, type BudgetLeft } from '../reservations/budgets-left.ts';
import { millionthsOfCost } from '#server/domain/money.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Call } from '#server/handlers/call.ts';

/** Takes what is left of the limits, which a request changes when it is admitted and when it is charged. */
export interface BudgetAnnouncer {
  /** Replaces what was left before. */
  readonly left: (budgets: readonly BudgetLeft[]) => void;
  /** Writes it into the headers. Call it once, before they are sent. */
  readonly announce: () => void;
}

/**
 * Announces the scarcest limit of requests and the scarcest budget, of tokens or of cost, in the headers `RateLimit` and
 * `RateLimit-Policy`. Chat clients read the same from headers of their own, without the cost.
 */
export function budgetAnnouncer({ announceBudgets }: Pick<Call, 'announceBudgets'>, clock: Clock): BudgetAnnouncer {
  let budgets: readonly BudgetLeft[] | undefined;
  const announce = () => {
    if (budgets === undefined) return;
    const now = clock.now();
    const [requests, tokens] = [scarcest(budgets, ['requests']), scarcest(budgets, ['tokens'])];
    const limits = [requests, scarcest(budgets, ['tokens', 'spend', 'cost'])].filter((one) => one !== undefined);
    announceBudgets(
      limits.map(({ resetsAt, ...one }) => ({ ...inHeader(one), resetMs: resetsAt - now })),
      { ...headersOf('Requests', requests, now), ...headersOf('Tokens', tokens, now) },
    );
  };
  return { left: (now) => (budgets = now), announce };
}

type Sized = Pick<BudgetLeft, 'of' | 'limit' | 'remaining'>;

function inHeader<T extends Sized>(budget: T): T {
  const { of, limit, remaining } = budget;
  if (of !== 'cost') return budget;
  return { ...budget, limit: millionthsOfCost(limit), remaining: millionthsOfCost(remaining) };
}

function headersOf(kind: 'Requests' | 'Tokens', left: BudgetLeft | undefined, now: number): Record<string, string> {
  if (!left) return {};
  return {
    [`X-RateLimit-Limit-${kind}`]: String(left.limit),
    [`X-RateLimit-Remaining-${kind}`]: String(left.remaining),
    [`X-RateLimit-Reset-${kind}`]: untilText(left.resetsAt - now),
  };
}

/** Formats a time as chat clients expect it: `14h30m0s`, `6m0s` or `1s`. */
function untilText(ms: number): string {
  const all = Math.max(1, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
