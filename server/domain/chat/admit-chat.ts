import type { Account } from '../account/account.ts';
import { startOfDay } from '../account/usage-days.ts';
import { completionDeadlineMs } from '../limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { chatRefusal, type ChatNo } from './chat-refusal.ts';
import type { TokenUsage } from './conversation.ts';
import { limitsInForce, type ChatCapacity, type ChatPlanLimits } from './plan-limits.ts';
import type { ChatCeilings, ChatLease } from './table.ts';

/** What letting a request in takes. */
export interface AdmitDeps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly capacity: ChatCapacity;
}

/** What a request would like to spend. */
export interface ChatAsk {
  readonly account: Pick<Account, 'id' | 'plan' | 'aiTokensPerDay'>;
  /** Those of its plan. */
  readonly limits: ChatPlanLimits;
  /** An upper estimate. */
  readonly inputTokens: number;
  /** Already clamped to the plan. At least 1. */
  readonly maxOutputTokens: number;
  /** A closer estimate that takes longer: asked for only where the other one does not fit into a budget. */
  readonly countClosely?: () => Promise<number>;
}

/** Room that is held for one request. Ends with `settleChat` or `releaseChat`, whichever comes first. */
export interface ChatAdmission {
  readonly leaseId: string;
  readonly ask: ChatAsk;
  /** When the request was let in: it is charged to that day, also when it ends on the next. */
  readonly startedAt: number;
  /** What is held for the input of the next answer. */
  readonly inputTokens: number;
  /** Most tokens of the next answer: what was asked for, or the less that is left of a budget. At least 1. */
  readonly maxOutputTokens: number;
}

/** One more round of a request that is under way. */
export interface ChatRound {
  /** What the rounds before it have used. */
  readonly usedSoFar: TokenUsage;
  /** As in {@link ChatAsk}, of this round. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly countClosely: () => Promise<number>;
}

/** What is held for longer than a request takes was left by a process that is gone. */
const leaseMs = completionDeadlineMs + 30_000;

/** A lease is worth nothing to the next process, which clears it away. */
const ofTheProcess = { isLasting: false } as const;

/**
 * Holds room for a request until it is settled or released, in one transaction, so that parallel requests never pass a limit
 * together. The limits of the AI gateway hold whatever `CUBBY_RATE_LIMITS` says. The tokens that it may use are held: the
 * estimated input and the longest answer. Near the end of a budget the answer is cut to what is left.
 *
 * @throws concurrent_limit_reached, rate_limit_exceeded, daily_request_limit_reached, daily_spend_limit_reached,
 *   daily_limit_reached, weekly_limit_reached, server_overloaded, daily_capacity_reached, in this order
 * @see decisions.md, section 10
 */
export async function admitChat(deps: AdmitDeps, ask: ChatAsk): Promise<ChatAdmission> {
  const leaseId = deps.ids.opaqueId();
  const admit = (inputTokens: number, leastOutputTokens: number) =>
    deps.metadata.atomically(async (tx) => {
      const lease: ChatLease = {
        id: leaseId, accountId: ask.account.id, startedAt: tx.now, expiresAt: tx.now + leaseMs, day: startOfDay(tx.now), inputTokens, outputTokens: ask.maxOutputTokens,
      };
      const held = await hold(tx, lease, leastOutputTokens, ceilingsOf(deps, ask));
      return typeof held === 'number' ? { leaseId, ask, startedAt: tx.now, inputTokens, maxOutputTokens: held } : held;
    }, ofTheProcess);
  let outcome = await admit(ask.inputTokens, ask.countClosely ? ask.maxOutputTokens : 1);
  if ('refusal' in outcome && outcome.isOfTokens && ask.countClosely) outcome = await admit(await ask.countClosely(), 1);
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

/**
 * Holds room for one more round of a request, as after a web search: in the place of what it held, what it has used so far
 * and what the round may use. Answers undefined where that fits no budget, and nothing has changed then.
 */
export async function extendChat(deps: AdmitDeps, admission: ChatAdmission, round: ChatRound): Promise<ChatAdmission | undefined> {
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
  const { leaseId, ask, startedAt } = admission;
  const lease: ChatLease = {
    id: leaseId,
    accountId: ask.account.id,
    startedAt,
    expiresAt: startedAt + leaseMs,
    day: startOfDay(startedAt),
    inputTokens: usedSoFar.inputTokens + inputTokens,
    outputTokens: usedSoFar.outputTokens + maxOutputTokens,
  };
  const holding = deps.metadata.atomically(async (tx) => {
    await tx.chat.giveUp(leaseId);
    const held = await hold(tx, lease, usedSoFar.outputTokens + leastOutputTokens, ceilingsOf(deps, ask));
    // Thrown, so that what was held before is held again.
    if (typeof held !== 'number') throw held.refusal;
    return { ...admission, inputTokens, maxOutputTokens: held - usedSoFar.outputTokens };
  }, ofTheProcess);
  return holding.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

function ceilingsOf({ capacity }: Pick<AdmitDeps, 'capacity'>, { limits, account }: ChatAsk): ChatCeilings {
  return { limits: limitsInForce(limits, account), capacity };
}

async function hold({ chat, now }: Transaction, lease: ChatLease, leastOutputTokens: number, ceilings: ChatCeilings): Promise<number | ChatNo> {
  const wish = { lease, leastOutputTokens };
  const held = await chat.hold(wish, ceilings, now);
  return held ?? chatRefusal(await chat.standingOf(lease.accountId, lease.day, now), wish, ceilings, now);
}
