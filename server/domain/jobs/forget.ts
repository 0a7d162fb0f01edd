import { firstKeptDay } from '../account/usage-days.ts';
import { forgetting } from '../forgetting.ts';
import { activityKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

/** Removes activity that is older than 90 days. */
export const forgetActivity = forgetting<'activity'>((tx, now, limit) =>
  tx.activity.forgetBefore(now - activityKeptMs, limit),
);

/** Removes events that are older than the operator keeps them. */
export function forgetEvents(
  deps: { readonly metadata: Writes<'events'>; readonly eventsKeptMs: number },
  now: number,
): Promise<number> {
  return forgetting<'events'>((tx, _now, limit) => tx.events.forgetBefore(now - deps.eventsKeptMs, limit))(deps, now);
}

/** Removes the requests and sent bytes of days that are too old. */
export const forgetTraffic = forgetting<'traffic'>((tx, now, limit) =>
  tx.traffic.forgetBefore(firstKeptDay(now), limit),
);

/** Removes expired sessions. */
export const forgetSessions = forgetting<'browserSessions' | 'sessions'>(async (tx, now, limit) => {
  const sessions = await tx.sessions.forgetBefore(now, limit);
  return sessions + (await tx.browserSessions.forgetBefore(now, limit));
});
