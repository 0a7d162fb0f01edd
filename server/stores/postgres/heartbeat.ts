import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { DatabaseError } from 'pg';

import type { DatabaseUrl } from '#server/config/database-url.ts';
import { PostgresPool } from './pool.ts';
import type { Session } from './session.ts';

/** How often a process looks whether the database answers, in ms. */
const beatEveryMs = 500;

/**
 * How long the database may say nothing, in ms. A lost packet that is sent again takes less. Together with the pause
 * between two looks, nobody waits for two seconds.
 */
const silenceMs = 1_300;

interface HeartbeatOptions {
  /** Called when the database does not answer any more. */
  readonly onSilence: () => void;
  /** Called when it answers, also if it has before. */
  readonly onAnswer: () => void;
  /** The `performance.now()` at which it last answered anything else of this process. */
  readonly lastAnswerAt: () => number;
  /** Multiplies the time that it may say nothing. Default 1. */
  readonly timeLimitFactor?: number | undefined;
}

/**
 * Notices that the database does not answer: packets vanish on the way, or it hangs. Then everything else would wait
 * for its own time limit. It sends a statement that waits for no lock, no disk and no standby, over a connection that
 * nothing else uses. As long as other connections get answers, it is not silent. A connection that cannot be opened, or
 * ends, says nothing: a pooler may only be full.
 */
export class Heartbeat {
  readonly #pool: PostgresPool;
  readonly #options: HeartbeatOptions;
  readonly #silenceMs: number;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(url: DatabaseUrl, options: HeartbeatOptions) {
    const { timeLimitFactor = 1 } = options;
    this.#pool = new PostgresPool({ ...url, poolSize: 1 }, { timeLimitFactor });
    this.#options = options;
    this.#silenceMs = timeLimitFactor * silenceMs;
    this.#ended = this.#beatUntilStopped();
  }

  /** Ends it, with its connection. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pool.endConnections();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => this.#ended);
    // First, so that nobody waits for a connection, and one that still opens is closed.
    await this.#pool.close();
  }

  async #beatUntilStopped(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#pool
        .withSession((session) => this.#beat(session))
        .catch((error: unknown) => {
          if (isAnswer(error)) this.#options.onAnswer();
        });
      await this.#rest();
    }
  }

  /** Looks again and again, until the connection has ended. */
  async #beat(session: Session): Promise<void> {
    this.#options.onAnswer();
    for (await this.#rest(); this.#goesOn(session); await this.#rest()) {
      if (await this.#isAnswered(session.command('SELECT 1'))) continue;
      if (this.#goesOn(session)) this.#options.onSilence();
      // What it would say late is of no use. That another connection can be opened is the sign that it is back.
      session.destroy();
    }
  }

  #goesOn(session: Session): boolean {
    return session.isOpen && !this.#stop.signal.aborted;
  }

  /** Resolves with false when nothing at all has been answered for too long. */
  async #isAnswered(beat: Promise<unknown>): Promise<boolean> {
    const sentAt = performance.now();
    for (let leftMs = this.#silenceMs; leftMs > 0;) {
      if (await isSettledWithin(beat, leftMs)) return true;
      leftMs = Math.max(sentAt, this.#options.lastAnswerAt()) + this.#silenceMs - performance.now();
    }
    return false;
  }

  #rest(): Promise<void> {
    return sleep(beatEveryMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
  }
}

/** Whether a failure to connect is an answer of the database, such as that it has too many connections. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && (error instanceof DatabaseError || isAnswer(error.cause));
}

/** Whether a promise settles in this time. What came while the event loop was busy counts. */
async function isSettledWithin(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  let isSettled = false;
  const settled = promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  const timer = new AbortController();
  await Promise.race([settled, sleep(withinMs, undefined, { signal: timer.signal, ref: false }).catch(() => {})]);
  timer.abort();
  // A timer is called before the bytes are read that have come meanwhile.
  for (let turn = 0; turn < 2 && !isSettled; turn++) await nextTurn();
  return isSettled;
}
