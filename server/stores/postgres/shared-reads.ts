import type { Answer, Parameter, Session } from './session.ts';

/** More look-ups than this on one connection would wait for each other. */
const mostShared = 8;

interface Sessions {
  take(): Promise<Session>;
  release(session: Session, error?: unknown): void;
}

/** A session, and its look-ups. */
interface Shared {
  readonly session: Promise<Session>;
  readonly answers: Array<Promise<unknown>>;
}

/**
 * Look-ups that take no lock. Those of the same turn of the event loop share a connection, and so a round trip. They
 * never share one with a statement that may wait for a lock: its holder may be waiting for the look-up.
 */
export class SharedReads {
  readonly #sessions: Sessions;
  #open: Shared | undefined;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async query<Row extends readonly unknown[]>(sql: string, values: readonly Parameter[]): Promise<Answer<Row>> {
    const shared = (this.#open ??= this.#begin());
    const answer = shared.session.then((session) => session.query<Row>(sql, values));
    shared.answers.push(answer);
    if (shared.answers.length === mostShared) this.#open = undefined;
    return answer;
  }

  #begin(): Shared {
    const shared: Shared = { session: this.#sessions.take(), answers: [] };
    setImmediate(() => {
      if (this.#open === shared) this.#open = undefined;
      void this.#end(shared);
    });
    return shared;
  }

  /** Releases the session when all of its look-ups are answered. Nothing is added to them any more. */
  async #end({ session, answers }: Shared): Promise<void> {
    const failed = (await Promise.allSettled(answers)).find((answer) => answer.status === 'rejected');
    await session.then(
      (taken) => this.#sessions.release(taken, failed?.reason),
      () => {},
    );
  }
}
