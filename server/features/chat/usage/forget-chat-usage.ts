import { startOfDay } from '#server/domain/account/usage-days.ts';
import { forgetting } from '#server/domain/forgetting.ts';
import { chatUsageKeptMs } from '#server/domain/limits.ts';

/** Removes the AI usage of days that are too old. */
export const forgetChatUsage = forgetting<'chat'>((tx, now, limit) =>
  tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit),
);
