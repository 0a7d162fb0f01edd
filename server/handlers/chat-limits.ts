import { planLimits } from '#generated/policies.ts';
import type { ChatPlanLimits } from '#server/domain/chat/plan-limits.ts';
import type { Plan } from '#server/domain/plan.ts';

/** The limits of the contract. A field that the contract lacks, or names in another way, does not compile here. */
const limitsOfPlans: Readonly<Partial<Record<Plan, ChatPlanLimits>>> = planLimits.createChatCompletion;

/**
 * The contract's limits of a plan at the AI gateway. The caller has refused plans without any; for them this throws.
 */
export function chatLimitsOf(plan: Plan): ChatPlanLimits {
  const limits = limitsOfPlans[plan];
  if (!limits) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return limits;
}
