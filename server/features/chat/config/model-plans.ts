import { aiLimitNames, aiLimitRanges, wireNameOf, type AiLimits } from '#server/domain/account/account-ai-limits.ts';
import type { FileTable } from '#server/config/file-table.ts';

/** The plans that include the AI gateway. */
const plansWithGateway = ['standard', 'pro', 'enterprise'] as const;

type PlanWithGateway = (typeof plansWithGateway)[number];

/** The limits that an operator gives to all accounts of a plan that have none of their own. */
export type LimitsOfPlans = Readonly<Partial<Record<PlanWithGateway, AiLimits>>>;

/** Reads the table `plans` of a file of models. */
export function plansOf(file: FileTable): LimitsOfPlans {
  const plans = file.table('plans');
  plans?.refuseOthers(plansWithGateway, noGateway);
  const read = plansWithGateway.flatMap((plan) => {
    const table = plans?.table(plan);
    return table ? [[plan, limitsOf(table)] as const] : [];
  });
  return Object.fromEntries(read);
}

function limitsOf(table: FileTable): AiLimits {
  table.refuseOthers(aiLimitNames.map(wireNameOf));
  const limits = aiLimitNames.map((name) => [name, table.numberOrNull(wireNameOf(name), aiLimitRanges[name])]);
  return Object.fromEntries(limits) as AiLimits;
}

const isWithout = 'is a plan without the AI gateway. Limits can be set for standard, pro and enterprise.';

const noGateway = { none: isWithout, hobby: isWithout };
