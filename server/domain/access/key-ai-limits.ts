/** The limits of an API key in the AI gateway. They apply under those of the plan. Null means no limit of its own. */
export interface KeyAiLimits {
  /** In a minute of the clock. */
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
  /** Input and output together. */
  readonly tokensPerDay: number | null;
  /** Fair use: the input tokens and four times the output tokens. */
  readonly spendPerDay: number | null;
  /** What the tokens of a day may cost, in the currency of the prices. */
  readonly costPerDay: number | null;
  /** The public names of the models that the key may use. Null means all. */
  readonly models: readonly string[] | null;
}

const none: KeyAiLimits = {
  requestsPerMinute: null,
  requestsPerDay: null,
  tokensPerDay: null,
  spendPerDay: null,
  costPerDay: null,
  models: null,
};

/** Returns the limits after a change. Fields that are left out stay. Null when no limit is left. */
export function changedAiLimits(before: KeyAiLimits | null, change: Partial<KeyAiLimits> | null): KeyAiLimits | null {
  if (change === null) return null;
  const after = { ...none, ...before, ...change };
  return Object.values(after).every((limit) => limit === null) ? null : after;
}

/** Returns the limits as clients see them, only those that are set; null without any. */
export function wireAiLimits(limits: KeyAiLimits | null) {
  if (!limits) return null;
  const { requestsPerMinute, requestsPerDay, tokensPerDay, spendPerDay, costPerDay, models } = limits;
  return {
    ...(requestsPerMinute !== null && { requests_per_minute: requestsPerMinute }),
    ...(requestsPerDay !== null && { requests_per_day: requestsPerDay }),
    ...(tokensPerDay !== null && { tokens_per_day: tokensPerDay }),
    ...(spendPerDay !== null && { spend_per_day: spendPerDay }),
    ...(costPerDay !== null && { cost_per_day: costPerDay }),
    ...(models && { models: [...models] }),
  };
}
