import type { QueuedStatus } from '#server/domain/deploys/commit-status.ts';
import { sendStatus, type StatusSender } from '#server/domain/deploys/send-status.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';

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

/** Reports deploys to git hosts. Any number of processes may do so at once. */
export function statusQueue(options: StatusQueueOptions): { stop(): Promise<void> } {
  const { metadata, clock, onFault, pollMs = 2000, stopTimeoutMs = 3000 } = options;
  const stopping = new AbortController();
  /** Attempts under way, by origin. */
  const running = new Map<string, number>();
  /** The failures of origins in a row, and until when each is left alone, in `performance.now()`. */
  const failing = new Map<string, { readonly failures: number; readonly until: number }>();
  const attempts = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  /** The origin that was served last. The next search begins behind it, so that all take turns. */
  let servedLast = '';
  let isStopping = false;

  function look(): void {
    if (isStopping) return;
    looking ??= begin()
      .catch(onFault)
      .finally(() => (looking = undefined));
  }

  async function begin(): Promise<void> {
    const behind = await metadata.read.commitStatuses.dueOrigins(servedLast, clock.now(), 100);
    const before = servedLast === '' ? [] : await metadata.read.commitStatuses.dueOrigins('', clock.now(), 100);
    for (const origin of new Set([...behind, ...before])) {
      const pause = failing.get(origin);
      if (pause && performance.now() < pause.until) continue;
      const free = Math.min((pause ? 1 : perOrigin) - (running.get(origin) ?? 0), mostAtOnce - attempts.size);
      if (free <= 0 || isStopping) continue;
      const taken = await metadata.atomically(
        (tx) => tx.commitStatuses.takeDue(origin, tx.now, tx.now + attemptMs, free),
        { isDurable: false },
      );
      if (taken.length > 0) servedLast = origin;
      for (const status of taken) start(status);
    }
  }

  function start(status: QueuedStatus): void {
    const { origin } = status;
    running.set(origin, (running.get(origin) ?? 0) + 1);
    const attempt: Promise<void> = sendStatus(options, status, stopping.signal)
      .then((isAnswered) => note(origin, isAnswered))
      .catch(onFault)
      .finally(() => {
        attempts.delete(attempt);
        const left = running.get(origin)! - 1;
        if (left === 0) running.delete(origin);
        else running.set(origin, left);
        look();
      });
    attempts.add(attempt);
  }

  function note(origin: string, isAnswered: boolean): void {
    if (isAnswered) return void failing.delete(origin);
    const failures = (failing.get(origin)?.failures ?? 0) + 1;
    // The oldest are forgotten, so that the memory stays bounded.
    if (failing.size >= 1000) failing.delete(failing.keys().next().value!);
    failing.set(origin, { failures, until: performance.now() + Math.min(longestPauseMs, 500 * 2 ** failures) });
  }

  const poll = setInterval(look, pollMs).unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(poll);
      await looking;
      const abort = setTimeout(() => stopping.abort(), stopTimeoutMs);
      await Promise.all(attempts);
      clearTimeout(abort);
    },
  };
}
