import { startOfDay } from '#server/domain/account/usage-days.ts';
import { forgetting } from '#server/domain/forgetting.ts';
import { dayMs } from '#server/domain/day.ts';

/** How long the daily usage of the AI gateway is stored: a year, and some days to look back at it. */
export const chatUsageKeptMs = 400 * dayMs;

/** Removes the AI usage of days that are too old. */
export const forgetChatUsage = forgetting<'chat'>((tx, now, limit) =>
  tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit),
);
