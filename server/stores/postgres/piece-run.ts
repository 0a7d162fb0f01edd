import type { SqlValue } from '#server/stores/tables/rows.ts';
import { fused, type Posted } from './fused.ts';
import { withoutSent, type LockedAccount } from './locked-account.ts';
import type { Sender } from './rows.ts';
import { mayMeet, type Scope } from './scopes.ts';
import type { Answer } from './session.ts';
import type { PostgresTransaction } from './transaction.ts';

const waitedForOthers =
  'Work inside atomically() waited for something other than rows (bytes, network, a timer): it was undone.';

/**
 * One run of a piece of work. It begins at once, and gets its first answer when it is its turn: the transaction has
 * begun, and the pieces before it are done. So the look-ups of all pieces travel with the statement that begins the
 * transaction. One that a piece before may have changed is sent again.
 *
 * Statements that nobody waits for are kept until the end of the run, or until the work waits for another one. If the
 * work fails before that, nothing has to be undone.
 */
export class PieceRun implements Sender {
  readonly #transaction: PostgresTransaction;
  readonly #turn: Promise<unknown>;
  readonly #isShared: boolean;
  readonly #unsent: Posted[] = [];
  readonly #callbacks: Array<() => unknown> = [];
  #isTurn = false;
  #isOpen = true;
  #isTooEarly = false;
  #hasWritten = false;
  /** The account before the work changed it; undefined if it has not. */
  #accountBefore: { readonly account: LockedAccount | undefined } | undefined;
  /** Answers that the work waits for. */
  #awaited = 0;
  /** Counts everything that the work has waited for. */
  #waits = 0;
  #onIdle: (() => void) | undefined;

  /**
   * @param turn resolves when it is its turn. Rejects if the transaction has failed
   * @param isShared whether the transaction has other pieces
   */
  constructor(transaction: PostgresTransaction, turn: Promise<unknown>, isShared: boolean) {
    this.#transaction = transaction;
    this.#turn = turn;
    this.#isShared = isShared;
    turn.then(
      () => (this.#isTurn = true),
      () => {},
    );
  }

  /** Whether the work still runs. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the work read the time before the transaction had begun. Its outcome is void then. */
  get isTooEarly(): boolean {
    return this.#isTooEarly;
  }

  /** The instant of the transaction. */
  get now(): number {
    const { now } = this.#transaction;
    if (now !== undefined) return now;
    this.#isTooEarly = true;
    this.#isOpen = false;
    throw new Error('The transaction has not begun. The work runs again when it has.');
  }

  readonly send = (sql: string, values: readonly SqlValue[], scopeOf?: () => Scope | undefined): Promise<Answer> => {
    this.#assertOpen();
    const isRead = sql.startsWith('SELECT ');
    if (isRead && !this.#isTurn && this.#unsent.length === 0)
      return this.waitFor(this.#readEarly(sql, values, scopeOf));
    return this.waitFor(this.#isTurn ? this.#query(sql, values, isRead) : this.#queryLater(sql, values, isRead));
  };

  readonly post = async (sql: string, values: readonly SqlValue[], scope?: Scope): Promise<void> => {
    this.#assertOpen();
    this.#unsent.push({ sql, values, scope });
  };

  afterCommit(callback: () => unknown): void {
    this.#assertOpen();
    this.#callbacks.push(callback);
  }

  /** Resolves when the account is locked. {@link lockedAccount} has it from then on. */
  async whenLocked(): Promise<void> {
    if (!this.#isTurn) await this.waitFor(this.#turn);
    this.#assertOpen();
  }

  /**
   * The locked account as the work has to see it. Undefined if only the database knows that. Parts of the work that go
   * on at the same time change it, so it is read anew after everything that is waited for.
   */
  get lockedAccount(): LockedAccount | undefined {
    return this.#transaction.account;
  }

  /** Whether a statement of this or an earlier piece may have changed rows of this scope. */
  mayHaveChanged(scope: Scope): boolean {
    return this.#transaction.mayHaveChanged(scope) || this.#unsent.some((one) => mayMeet(one.scope, scope));
  }

  /** Notes a change of the locked account. It is sent before anything that could read it. */
  changeAccount(account: LockedAccount): void {
    this.#accountBefore ??= { account: this.#transaction.account };
    this.#transaction.changeAccount(account);
  }

  /** Counts an answer of the database that the work waits for, so that it is not taken for a timer or the network. */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    this.#awaited += 1;
    try {
      return await answer;
    } finally {
      this.#awaited -= 1;
      this.#waits += 1;
      if (this.#awaited === 0) this.#watch();
    }
  }

  /** Runs the work. Rejects when it waits for something other than rows: its locks would last as long. */
  async run<T>(work: (run: PieceRun) => Promise<T>): Promise<T> {
    try {
      const { promise: idle, reject } = Promise.withResolvers<never>();
      this.#onIdle = () => reject(new Error(waitedForOthers));
      const working = work(this);
      this.#watch();
      return await Promise.race([working, idle]);
    } finally {
      this.#isOpen = false;
      this.#onIdle = undefined;
    }
  }

  /** Sends what was not sent yet. Called when it is its turn and the work has succeeded. */
  finish(): void {
    for (const { sql, values, scopes } of fused(this.#unsent.splice(0))) this.#transaction.post(sql, values, scopes);
  }

  /**
   * Undoes the statements and changes of work that has failed. Called when it is its turn. Returns false if the whole
   * transaction has to be undone.
   */
  abandon(): boolean {
    if (this.#hasWritten && !this.#isShared) return false;
    if (this.#hasWritten) this.#transaction.undoToSavepoint();
    if (this.#accountBefore) this.#transaction.changeAccount(this.#accountBefore.account);
    return true;
  }

  /** Runs the callbacks of `afterCommit()`, which the commit makes due. */
  committed(onFault: (error: unknown) => void): void {
    for (const callback of this.#callbacks) {
      try {
        const result: unknown = callback();
        if (result instanceof Promise) result.catch(onFault);
      } catch (error) {
        onFault(error);
      }
    }
  }

  async #readEarly(sql: string, values: readonly SqlValue[], scopeOf?: () => Scope | undefined): Promise<Answer> {
    const early = this.#transaction.read(sql, values);
    await this.#turn;
    if (!this.#transaction.isStale(scopeOf?.())) return early;
    this.#assertOpen();
    return this.#query(sql, values, true);
  }

  async #queryLater(sql: string, values: readonly SqlValue[], isRead: boolean): Promise<Answer> {
    await this.#turn;
    this.#assertOpen();
    return this.#query(sql, values, isRead);
  }

  #query(sql: string, values: readonly SqlValue[], isRead: boolean): Promise<Answer> {
    if (!isRead || this.#unsent.length > 0 || this.#accountBefore) this.#beginWriting();
    this.#transaction.postAccount();
    this.finish();
    if (isRead) return this.#transaction.read(sql, values);
    return this.#transaction.write(sql, values);
  }

  /** Sends what earlier pieces have changed, which is kept whatever becomes of this one. */
  #beginWriting(): void {
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    if (!this.#isShared) return;
    const own = this.#transaction.account;
    if (this.#accountBefore) this.#transaction.changeAccount(this.#accountBefore.account);
    this.#transaction.postAccount();
    const before = this.#transaction.account;
    this.#transaction.setSavepoint();
    if (this.#accountBefore) this.#transaction.changeAccount(own && withoutSent(own, this.#accountBefore.account));
    this.#accountBefore = { account: before };
  }

  /** The work goes on in microtasks. When they have run and it waits for no answer, it waits for something else. */
  #watch(): void {
    const waits = this.#waits;
    setImmediate(() => {
      if (this.#awaited === 0 && this.#waits === waits) this.#onIdle?.();
    });
  }

  #assertOpen(): void {
    if (!this.#isOpen)
      throw new Error('This transaction has ended: work inside atomically() was not awaited, or waited for something.');
  }
}
