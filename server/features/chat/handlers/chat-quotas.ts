import { planLimits } from '#generated/policies.ts';
import type { AiLimits } from '#server/domain/account/account-ai-limits.ts';
import type { Account } from '#server/domain/account/account.ts';
import { costOfAmount } from '#server/domain/money.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { ChatQuota } from '../budgets/chat-quota.ts';
import type { ItemLimits } from '../budgets/item-limits.ts';

/** The limits that the operator's file gives to plans, in place of those of the contract. */
export type AiLimitsOfPlans = Readonly<Partial<Record<Plan, Partial<AiLimits>>>>;

type LimitedAccount = Pick<Account, 'plan' | 'aiLimits'>;

/** The forms of requests that have tools and messages. */
type Form = 'createChatCompletion' | 'createResponse' | 'createMessage';

/** No plan of the contract limits the cost, because only an operator knows prices. */
type Limits = Omit<ChatQuota, 'costPerDay'> & ItemLimits;

/** The limits of the contract. A field that it lacks, or names in another way, does not compile here. */
const quotas: Readonly<Partial<Record<Plan, Limits>>> = planLimits.createChatCompletion;
const items: Readonly<Record<Form, Readonly<Partial<Record<Plan, ItemLimits>>>>> = planLimits;

/** Returns the quota of an account: its own limits, else those of its plan. Plans without any are refused before. */
export function quotaOf(account: LimitedAccount, ofPlans: AiLimitsOfPlans): ChatQuota {
  const { tools: _tools, messages: _messages, ...quota } = ofContract(quotas, account.plan);
  const { contextTokens, outputTokens, concurrent, pacingSeconds } = quota;
  const costPerDay = account.aiLimits?.costPerDay ?? ofPlans[account.plan]?.costPerDay ?? null;
  return {
    ...quota,
    ...chosen({ contextTokens, outputTokens, concurrent, pacingSeconds }, account, ofPlans),
    costPerDay: costPerDay === null ? null : costOfAmount(costPerDay),
  };
}

/** Returns how many tools and messages a request of an account may have. */
export function itemLimitsOf(form: Form, account: LimitedAccount, ofPlans: AiLimitsOfPlans): ItemLimits {
  const { tools, messages } = ofContract(items[form], account.plan);
  return chosen({ tools, messages }, account, ofPlans);
}

function ofContract<Found>(limits: Readonly<Partial<Record<Plan, Found>>>, plan: Plan): Found {
  const found = limits[plan];
  if (!found) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return found;
}

function chosen<Name extends keyof AiLimits>(
  standard: Readonly<Record<Name, number>>,
  { plan, aiLimits }: LimitedAccount,
  ofPlans: AiLimitsOfPlans,
): Record<Name, number> {
  const names = Object.keys(standard) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, aiLimits?.[name] ?? ofPlans[plan]?.[name] ?? standard[name]]),
  ) as Record<Name, number>;
}
