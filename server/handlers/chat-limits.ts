import { planLimits } from '#generated/policies.ts';
import type { ChatPlanLimits } from '#server/domain/chat/plan-limits.ts';
import type { Plan } from '#server/domain/plan.ts';

/** A field that the contract does not give, or names in another way, does not compile here. */
const limitsOfPlans: Readonly<Partial<Record<Plan, ChatPlanLimits>>> = planLimits.createChatCompletion;

/**
 * What a plan may ask of the AI gateway, as the contract says. A plan without any is refused before; asking for it is a
 * fault.
 */
export function chatLimitsOf(plan: Plan): ChatPlanLimits {
  const limits = limitsOfPlans[plan];
  if (!limits) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return limits;
}
