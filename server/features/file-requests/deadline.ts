import { maxDeadlineAheadMs } from './limits.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Checks a new deadline. @throws INVALID_DEADLINE when it is not ahead, or too far ahead */
export function requireDeadline(deadlineAt: number | null | undefined, now: number): void {
  if (deadlineAt === null || deadlineAt === undefined) return;
  if (deadlineAt <= now || deadlineAt > now + maxDeadlineAheadMs)
    throw new Refusal('INVALID_DEADLINE', { detail: `Got ${new Date(deadlineAt).toISOString()}.` });
}
