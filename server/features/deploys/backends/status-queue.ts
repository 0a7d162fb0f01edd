import type { QueuedStatus } from '../commit-status.ts';
import { sendStatus, type StatusSender } from '../send-status.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { outbox, type Outbox } from '#server/jobs/outbox.ts';

interface StatusQueueOptions {
  readonly metadata: Metadata<'commitStatuses' | 'deploys'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly clock: Clock;
  readonly sender: StatusSender;
  onFault(error: unknown): void;
  /** How often it looks for what is due. Most states change in the process of a runner. */
  readonly pollMs?: number;
  readonly stopTimeoutMs?: number;
}

/** Parallel attempts to one origin, and to all of them. So a dead host holds up no other. */
const perOrigin = 2;
const mostAtOnce = 20;

/** An attempt has this long. Then another process takes the report: this one was killed. */
const attemptMs = 30_000;

/** After a failure, an origin gets one attempt at a time, with growing pauses. */
const longestPauseMs = 60_000;

/** Reports deploys to git hosts. */
export function statusQueue(options: StatusQueueOptions): Outbox {
  const { metadata, clock, onFault, pollMs = 2000, stopTimeoutMs = 3000 } = options;
  /** The failures of origins in a row, and until when each is left alone, in `performance.now()`. */
  const failing = new Map<string, { readonly failures: number; readonly until: number }>();

  function note(origin: string, isAnswered: boolean): void {
    if (isAnswered) return void failing.delete(origin);
    const failures = (failing.get(origin)?.failures ?? 0) + 1;
    // The oldest are forgotten, so that the memory stays bounded.
    if (failing.size >= 1000) failing.delete(failing.keys().next().value!);
    failing.set(origin, { failures, until: performance.now() + Math.min(longestPauseMs, 500 * 2 ** failures) });
  }

  function mostTo(origin: string): number {
    const pause = failing.get(origin);
    if (!pause) return perOrigin;
    return performance.now() < pause.until ? 0 : 1;
  }

  return outbox<QueuedStatus>({
    ...{ mostAtOnce, pollMs, stopTimeoutMs, onFault },
    delayMs: 0,
    async due(behind) {
      const origins = await metadata.read.commitStatuses.dueOrigins(behind, clock.now(), 100);
      return origins.map((origin) => ({
        key: origin,
        // Read when its turn comes, because an attempt may have failed meanwhile.
        get most() {
          return mostTo(origin);
        },
        take: (limit) =>
          metadata.atomically((tx) => tx.commitStatuses.takeDue(origin, tx.now, tx.now + attemptMs, limit), {
            isDurable: false,
          }),
      }));
    },
    attempt: async (status, signal) => note(status.origin, await sendStatus(options, status, signal)),
  });
}
