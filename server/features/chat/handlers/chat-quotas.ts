import { planLimits } from '#generated/policies.ts';
import type { ChatQuota } from '../budgets/chat-quota.ts';
import type { Plan } from '#server/domain/plan.ts';

/** The quotas of the contract. A field that the contract lacks, or names in another way, does not compile here. */
const quotas: Readonly<Partial<Record<Plan, ChatQuota>>> = planLimits.createChatCompletion;

/** Returns the quota of a plan in the AI gateway. Plans without one are refused before this. */
export function quotaOf(plan: Plan): ChatQuota {
  const quota = quotas[plan];
  if (!quota) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return quota;
}
