import { gibibyte } from './limits.ts';

/**
 * What each plan includes over all operations, as docs/operating/accounts.md shows it. The limits of a single operation
 * are in the contract: its rate limits and its lowest plan in `policies`, and those of the AI gateway in
 * `planLimits.createChatCompletion`, both of generated/policies.ts.
 */

/** In ascending order: each plan includes what the plans before it include. */
export const plans = ['none', 'hobby', 'standard', 'pro', 'enterprise'] as const;

export type Plan = (typeof plans)[number];

/** Whether `plan` includes what `minimum` includes. */
export function isAtLeast(plan: Plan, minimum: Plan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(minimum);
}

/** Included storage in bytes. */
export const includedBytes: Readonly<Record<Plan, number>> = {
  none: 0,
  hobby: 5 * gibibyte,
  standard: 30 * gibibyte,
  pro: 200 * gibibyte,
  enterprise: 250 * gibibyte,
};

/** Returns how many bytes an account may store: its own quota, or twice what its plan includes. */
export function quotaBytesOf(account: { readonly plan: Plan; readonly quotaBytes: number | null }): number {
  return account.quotaBytes ?? 2 * includedBytes[account.plan];
}

/** Prefix rules of one account. */
export const maxRules: Readonly<Record<Plan, number>> = { none: 0, hobby: 5, standard: 5, pro: 10, enterprise: 20 };

/** Requests a minute over all storage and application routes, blocked for a minute once exceeded. */
export const accountRequestsPerMinute: Readonly<Record<Plan, number>> = {
  none: 5,
  hobby: 120,
  standard: 300,
  pro: 600,
  enterprise: 1200,
};

/** Requests to the S3 gateway in 10 seconds. Without a plan files can still be read. */
export const s3RequestsPerWindow: Readonly<Record<Plan, number>> = {
  none: 100,
  hobby: 100,
  standard: 200,
  pro: 400,
  enterprise: 600,
};
export const s3WindowMs = 10_000;
