import type { OperatorAccount, OperatorAccountChange, Plan } from '#dist/modules/client/index.js';

const gibibyte = 1_073_741_824;

/** Returns a quota as the text of a field. Empty if the account has none of its own. */
export function gibibytes(bytes: number | null): string {
  return bytes === null ? '' : String(bytes / gibibyte);
}

/** Returns what differs from an account; undefined if nothing does. An empty field restores the value of the plan. */
export function changeOf(
  account: Pick<OperatorAccount, 'plan' | 'own_quota_bytes' | 'own_ai_budget'>,
  given: { readonly plan: Plan; readonly quotaGib: string | undefined; readonly aiBudget: string | undefined },
): OperatorAccountChange | undefined {
  const quota = given.quotaGib === undefined ? null : Math.round(Number(given.quotaGib) * gibibyte);
  const budget = given.aiBudget === undefined ? null : Number(given.aiBudget);
  const change: OperatorAccountChange = {
    ...(given.plan !== account.plan && { plan: given.plan }),
    ...(quota !== account.own_quota_bytes && { own_quota_bytes: quota }),
    ...(budget !== account.own_ai_budget && { own_ai_budget: budget }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}
