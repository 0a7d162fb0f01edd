import { policies } from '#generated/policies.ts';
import type { ChatPlanLimits } from '#server/domain/chat/plan-limits.ts';
import type { Plan } from '#server/domain/plan.ts';

const { planLimits = {} } = policies.createChatCompletion;

/** What a plan may ask of the AI gateway, as the contract says. A plan without any is refused before; asking for it is a fault. */
export function chatLimitsOf(plan: Plan): ChatPlanLimits {
  const limits = planLimits[plan];
  if (!limits) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return limits;
}
