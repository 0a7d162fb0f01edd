import { planLimits } from '#generated/policies.ts';
import type { ChatQuota } from '#server/domain/chat/chat-quota.ts';
import type { Plan } from '#server/domain/plan.ts';

/** Does not compile when the contract lacks a field or names it differently. */
const quotas: Readonly<Partial<Record<Plan, ChatQuota>>> = planLimits.createChatCompletion;

/** Returns what the contract allows a plan in the AI gateway. Plans without a quota are rejected before this. */
export function chatQuotaOf(plan: Plan): ChatQuota {
  const quota = quotas[plan];
  if (!quota) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return quota;
}
