import { isLive } from '#server/domain/access/api-key.ts';
import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import type { Account } from '#server/domain/account/account.ts';
import { requireOpen } from '#server/domain/account/closed-account.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { recordRefusedBudget } from '../budgets/budget-event.ts';
import { budgetsLeft, type BudgetLeft } from './budgets-left.ts';
import type { ChatLease } from './chat-lease.ts';
import { quotaInForce, type ChatCapacity, type ChatQuota } from '../budgets/chat-quota.ts';
import type { ChatLimits } from './chat-refusal.ts';
import type { ChatReservations } from './chat-reservations.ts';
import type { TokenUsage } from '../conversation/conversation.ts';
import type { ReservedChat, RejectedChat } from './decide-lease.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import { recordReachedKeyLimit } from '../budgets/key-limit-event.ts';
import { countedLimits } from './key-refusal.ts';
import type { TurnQueue } from './turn-queue.ts';

/** How long a reservation lasts: far longer than a request and its charge can take. */
const chatLeaseMs = 10 * 60_000;

/** The dependencies of admitting a request. */
export interface AdmitDeps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'apiKeys' | 'chat' | 'events'>;
  readonly reservations: ChatReservations;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly capacity: ChatCapacity;
  /** Lets requests wait for their turn. Without it they are rejected at once. */
  readonly queue?: Pick<TurnQueue, 'waitFor'> | undefined;
  /** Called with what is left of the budgets, when a request is admitted, rejected or charged. Must not throw. */
  readonly onBudgets?: ((budgets: readonly BudgetLeft[]) => void) | undefined;
}

/** The account, key, model, quota and tokens that decide whether a request is admitted. */
export interface ChatAsk {
  readonly account: Pick<Account, 'id' | 'plan' | 'aiTokensPerDay'>;
  /** The API key that asks. */
  readonly keyId: string;
  /** The limits of that key; null without any. */
  readonly keyLimits: KeyAiLimits | null;
  /** The name under which the model is known to callers. */
  readonly model: string;
  /** The prices of that model. Undefined: its tokens cost nothing. */
  readonly prices?: ModelPrices | undefined;
  /** The quota of the account. */
  readonly quota: ChatQuota;
  /** An upper estimate. */
  readonly inputTokens: number;
  /** Already clamped to the quota. At least 1. */
  readonly maxOutputTokens: number;
  /** Counts the input exactly, which takes longer. Called only if the estimate does not fit into a budget. */
  readonly countClosely?: () => Promise<number>;
  /** How long it waits for its turn. Default: as long as the queue says. */
  readonly queueMs?: number | undefined;
  /** Ends the wait for a turn. */
  readonly signal?: AbortSignal;
}

/** The reservation of one request, until its lease is settled or released. */
export interface ChatAdmission {
  /** Charged to the day on which the request was admitted, even if it ends on the next. */
  readonly lease: ChatLease;
  readonly ask: ChatAsk;
  /** What the reservation leaves of the budgets. */
  readonly budgets: readonly BudgetLeft[];
  /** The tokens that are reserved for the input of the next answer. */
  readonly inputTokens: number;
  /** The most tokens of the next answer: as many as were requested, or fewer near the end of a budget. At least 1. */
  readonly maxOutputTokens: number;
}

/** One more round of a request that is under way. */
interface ChatRound {
  /** The usage of the earlier rounds. */
  readonly usedSoFar: TokenUsage;
  /** As in {@link ChatAsk}, for this round. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly countClosely: () => Promise<number>;
}

/**
 * Reserves the estimated input and the longest answer of a request, until it is settled or released. Near the end of a
 * budget the answer is limited to the tokens that are left. Parallel requests never exceed a limit together. These
 * limits apply also when `CUBBY_RATE_LIMITS` is off.
 *
 * @throws concurrent_limit_reached, rate_limit_exceeded, key_rate_limit_exceeded,
 *   daily_request_limit_reached, key_daily_request_limit_reached, daily_spend_limit_reached, daily_limit_reached,
 *   weekly_limit_reached, daily_cost_limit_reached, key_daily_spend_limit_reached, key_daily_limit_reached,
 *   key_daily_cost_limit_reached, server_overloaded,
 *   daily_capacity_reached, in this order
 * @throws ACCESS_DENIED, ACCOUNT_SUSPENDED when the key or the account has ended while the request waited
 */
export async function admitChat(deps: AdmitDeps, ask: ChatAsk): Promise<ChatAdmission> {
  const { account, keyId, model, prices } = ask;
  const id = deps.ids.opaqueId();
  const limits = limitsOf(deps, ask);
  const admit = (inputTokens: number, leastOutputTokens: number) => {
    const now = deps.clock.now();
    const lease: ChatLease = {
      ...{ id, accountId: account.id, keyId, model, prices, startedAt: now, expiresAt: now + chatLeaseMs },
      ...{ day: startOfDay(now), inputTokens, outputTokens: ask.maxOutputTokens },
    };
    return deps.reservations.reserve({ lease, leastOutputTokens }, limits, now);
  };
  const inTurn = (attempt: () => Promise<ReservedChat | RejectedChat>) =>
    deps.queue
      ? deps.queue.waitFor(
          account.id,
          async (hasWaited) => {
            if (hasWaited) await requireLive(deps, ask);
            return attempt();
          },
          ask.signal,
          ask.queueMs,
        )
      : attempt();
  const { countClosely } = ask;
  let outcome = await inTurn(async () => {
    const outcome = await admit(ask.inputTokens, countClosely ? ask.maxOutputTokens : 1);
    // Fewer tokens may fit at once, so this does not wait.
    return 'refusal' in outcome && outcome.isOfTokens && countClosely ? { ...outcome, turn: undefined } : outcome;
  });
  if ('refusal' in outcome && outcome.isOfTokens && countClosely) {
    const inputTokens = await countClosely();
    outcome = await inTurn(() => admit(inputTokens, 1));
  }
  const now = deps.clock.now();
  if ('refusal' in outcome) {
    if (outcome.totals) deps.onBudgets?.(budgetsLeft(outcome.totals, limits, { prices }, now));
    await recordRefused(deps, ask, outcome, now);
    throw outcome.refusal;
  }
  const { lease, totals } = outcome;
  const budgets = budgetsLeft(totals, limits, { lease, prices }, now);
  deps.onBudgets?.(budgets);
  return { lease, ask, budgets, inputTokens: lease.inputTokens, maxOutputTokens: lease.outputTokens };
}

/** A key may be revoked, or an account suspended, while a request waits for its turn. */
async function requireLive({ metadata, clock }: AdmitDeps, { account, keyId }: ChatAsk): Promise<void> {
  const [key, owner] = await Promise.all([metadata.read.apiKeys.find(keyId), metadata.read.accounts.find(account.id)]);
  if (!key || !owner || !isLive(key, clock.now())) throw new Refusal('ACCESS_DENIED');
  requireOpen(owner);
}

async function recordRefused(
  { metadata }: Pick<AdmitDeps, 'metadata'>,
  { account, keyId, keyLimits }: ChatAsk,
  { budget, keyLimit }: RejectedChat,
  now: number,
): Promise<void> {
  if (budget) await recordRefusedBudget(metadata, account.id, budget);
  if (keyLimit && keyLimits)
    await recordReachedKeyLimit(metadata, { keyId, limit: keyLimit, day: startOfDay(now) }, keyLimits);
}

/**
 * Reserves one more round of a request, such as the one after a web search. The new reservation is the usage so far and
 * the most that the round may use. It replaces the earlier one. Returns undefined, and changes nothing, if a limit does
 * not allow it.
 */
export async function extendChat(
  deps: AdmitDeps,
  admission: ChatAdmission,
  round: ChatRound,
): Promise<ChatAdmission | undefined> {
  const extended = await extend(deps, admission, round, round.maxOutputTokens);
  return extended ?? extend(deps, admission, { ...round, inputTokens: await round.countClosely() }, 1);
}

async function extend(
  deps: AdmitDeps,
  admission: ChatAdmission,
  { usedSoFar, inputTokens, maxOutputTokens }: ChatRound,
  leastOutputTokens: number,
): Promise<ChatAdmission | undefined> {
  const lease: ChatLease = {
    ...admission.lease,
    inputTokens: usedSoFar.inputTokens + inputTokens,
    outputTokens: usedSoFar.outputTokens + maxOutputTokens,
  };
  const limits = limitsOf(deps, admission.ask);
  const now = deps.clock.now();
  const request = { lease, leastOutputTokens: usedSoFar.outputTokens + leastOutputTokens };
  const outcome = await deps.reservations.reserve(request, limits, now);
  return 'refusal' in outcome
    ? undefined
    : {
        ...admission,
        lease: outcome.lease,
        budgets: budgetsLeft(outcome.totals, limits, { lease: outcome.lease, prices: lease.prices }, now),
        inputTokens,
        maxOutputTokens: outcome.lease.outputTokens - usedSoFar.outputTokens,
      };
}

function limitsOf({ capacity }: Pick<AdmitDeps, 'capacity'>, { quota, account, keyLimits }: ChatAsk): ChatLimits {
  return { quota: quotaInForce(quota, account), capacity, key: countedLimits(keyLimits) };
}
