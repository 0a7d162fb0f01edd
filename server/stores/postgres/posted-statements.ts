import type { Parameter, Session } from './session.ts';

/** How long a posted statement waits for another one that it can go with. */
const waitMs = 5;

interface Posted {
  readonly send: (session: Session) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that need not be sent at once. They go with the next use of any session, and so take no round trip. */
export class PostedStatements {
  readonly #waiting: Posted[] = [];
  readonly #takeSession: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  /** @param takeSession takes a session, which calls {@link sendOver}, and releases it */
  constructor(takeSession: () => Promise<void>) {
    this.#takeSession = takeSession;
  }

  /** Resolves when the statement was carried out. It waits {@link waitMs} at most for another one. */
  add(sql: string, values: readonly Parameter[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ send: (session) => session.query(sql, values).then(() => resolve(), reject), reject });
    this.#timer ??= setTimeout(() => void this.#sendAlone(), waitMs);
    return promise;
  }

  /** Sends what waits. */
  sendOver(session: Session): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { send } of this.#waiting.splice(0)) send(session);
  }

  async #sendAlone(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.#takeSession();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }
}
