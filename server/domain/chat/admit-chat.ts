import type { Account } from '../account/account.ts';
import { startOfDay } from '../account/usage-days.ts';
import type { Clock } from '../ports/clock.ts';
import { chatLeaseMs } from '../limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { ChatCeilings } from './chat-refusal.ts';
import type { ChatLease } from './chat-lease.ts';
import type { ChatRoom } from './chat-room.ts';
import type { TokenUsage } from './conversation.ts';
import { quotaInForce, type ChatCapacity, type ChatQuota } from './chat-quota.ts';

/** What admitting a request needs. */
export interface AdmitDeps {
  readonly room: ChatRoom;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly capacity: ChatCapacity;
}

/** What a request asks for. */
export interface ChatAsk {
  readonly account: Pick<Account, 'id' | 'plan' | 'aiTokensPerDay'>;
  /** The quota of its plan. */
  readonly quota: ChatQuota;
  /** An upper estimate. */
  readonly inputTokens: number;
  /** Already clamped to the plan. At least 1. */
  readonly maxOutputTokens: number;
  /** Counts the input exactly, which takes longer. Called only if the estimate does not fit into a budget. */
  readonly countClosely?: () => Promise<number>;
}

/** Room that is held for one request, until its lease is settled or released. */
export interface ChatAdmission {
  /** Charged to the day on which the request was admitted, also when it ends on the next. */
  readonly lease: ChatLease;
  readonly ask: ChatAsk;
  /** The tokens that are held for the input of the next answer. */
  readonly inputTokens: number;
  /** The most tokens of the next answer: as many as were asked for, or fewer near the end of a budget. At least 1. */
  readonly maxOutputTokens: number;
}

/** One more round of a request that is under way. */
export interface ChatRound {
  /** What the earlier rounds have used. */
  readonly usedSoFar: TokenUsage;
  /** As in {@link ChatAsk}, of this round. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly countClosely: () => Promise<number>;
}

/**
 * Holds room for a request until it is settled or released: its estimated input and its longest answer. Near the end of
 * a budget the answer is cut to what is left. Parallel requests never pass a limit together. These limits apply also
 * when `CUBBY_RATE_LIMITS` is off.
 *
 * @throws concurrent_limit_reached, rate_limit_exceeded, daily_request_limit_reached, daily_spend_limit_reached,
 *   daily_limit_reached, weekly_limit_reached, server_overloaded, daily_capacity_reached, in this order
 */
export async function admitChat(deps: AdmitDeps, ask: ChatAsk): Promise<ChatAdmission> {
  const id = deps.ids.opaqueId();
  const admit = (inputTokens: number, leastOutputTokens: number) => {
    const now = deps.clock.now();
    const lease: ChatLease = {
      id,
      accountId: ask.account.id,
      startedAt: now,
      expiresAt: now + chatLeaseMs,
      day: startOfDay(now),
      inputTokens,
      outputTokens: ask.maxOutputTokens,
    };
    return deps.room.hold({ lease, leastOutputTokens }, ceilingsOf(deps, ask), now);
  };
  let outcome = await admit(ask.inputTokens, ask.countClosely ? ask.maxOutputTokens : 1);
  if ('refusal' in outcome && outcome.isOfTokens && ask.countClosely)
    outcome = await admit(await ask.countClosely(), 1);
  if ('refusal' in outcome) throw outcome.refusal;
  return { lease: outcome, ask, inputTokens: outcome.inputTokens, maxOutputTokens: outcome.outputTokens };
}

/**
 * Holds room for one more round of a request, as after a web search. It replaces what the request held by what it has
 * used so far and what the round may use. Returns undefined if that fits into no budget, and then changes nothing.
 */
export async function extendChat(
  deps: AdmitDeps,
  admission: ChatAdmission,
  round: ChatRound,
): Promise<ChatAdmission | undefined> {
  const extended = await extend(deps, admission, round, round.inputTokens, round.maxOutputTokens);
  return extended ?? extend(deps, admission, round, await round.countClosely(), 1);
}

async function extend(
  deps: AdmitDeps,
  admission: ChatAdmission,
  { usedSoFar, maxOutputTokens }: ChatRound,
  inputTokens: number,
  leastOutputTokens: number,
): Promise<ChatAdmission | undefined> {
  const lease: ChatLease = {
    ...admission.lease,
    inputTokens: usedSoFar.inputTokens + inputTokens,
    outputTokens: usedSoFar.outputTokens + maxOutputTokens,
  };
  const held = await deps.room.hold(
    { lease, leastOutputTokens: usedSoFar.outputTokens + leastOutputTokens },
    ceilingsOf(deps, admission.ask),
    deps.clock.now(),
  );
  return 'refusal' in held
    ? undefined
    : { ...admission, lease: held, inputTokens, maxOutputTokens: held.outputTokens - usedSoFar.outputTokens };
}

function ceilingsOf({ capacity }: Pick<AdmitDeps, 'capacity'>, { quota, account }: ChatAsk): ChatCeilings {
  return { quota: quotaInForce(quota, account), capacity };
}
