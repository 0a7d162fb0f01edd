import { costPerDayRange } from '../money.ts';

/**
 * Limits in the AI gateway that an operator sets for an account or a plan. Null means that of what is behind it: the
 * plan of an account, and the contract of a plan.
 */
export interface AiLimits {
  /** Tokens of the messages and tool definitions of a request together. */
  readonly contextTokens: number | null;
  /** The most tokens of an answer. */
  readonly outputTokens: number | null;
  /** Tools of a request. */
  readonly tools: number | null;
  /** Messages or items of a request. */
  readonly messages: number | null;
  /** Requests at once. */
  readonly concurrent: number | null;
  /** The least time between the beginnings of two requests. */
  readonly pacingSeconds: number | null;
  /** What the tokens of a day may cost, in the currency of the prices. */
  readonly costPerDay: number | null;
}

export type AiLimitName = keyof AiLimits;

interface AiLimitRange {
  readonly least: number;
  readonly most: number;
  /** Default: only whole numbers. */
  readonly decimals?: number;
}

/** What an operator may set. The contract has the same numbers. @see openapi/schemas/operator/AccountAiLimits.yaml */
export const aiLimitRanges: Readonly<Record<AiLimitName, AiLimitRange>> = {
  contextTokens: { least: 1, most: 2_000_000 },
  outputTokens: { least: 1, most: 1_000_000 },
  tools: { least: 1, most: 1024 },
  messages: { least: 1, most: 10_000 },
  concurrent: { least: 1, most: 1000 },
  pacingSeconds: { least: 0, most: 3600 },
  costPerDay: costPerDayRange,
};

export const aiLimitNames = Object.keys(aiLimitRanges) as readonly AiLimitName[];

/** Returns the name of a limit in the contract and in the file of models, such as `context_tokens`. */
export function wireNameOf(name: AiLimitName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the limits after a change. Fields that are left out stay. Null when no limit is left. */
export function changedAccountAiLimits(before: AiLimits | null, change: Partial<AiLimits> | null): AiLimits | null {
  if (change === null) return null;
  const after = Object.fromEntries(
    aiLimitNames.map((name) => [name, change[name] === undefined ? (before?.[name] ?? null) : change[name]]),
  ) as unknown as AiLimits;
  return aiLimitNames.every((name) => after[name] === null) ? null : after;
}

/** Returns the limits as the operator's API and the audit log show them, only those that are set; null without any. */
export function wireAccountAiLimits(limits: AiLimits | null): Readonly<Record<string, number>> | null {
  if (!limits) return null;
  const set = aiLimitNames.flatMap((name) => {
    const limit = limits[name] ?? null;
    return limit === null ? [] : [[wireNameOf(name), limit] as const];
  });
  return Object.fromEntries(set);
}
