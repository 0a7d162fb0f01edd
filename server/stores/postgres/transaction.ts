import type { SqlValue } from '#server/stores/tables/rows.ts';
import { changeAccount, tablesOfAccount, type LockedAccount } from './locked-account.ts';
import { mayMeet, type Scope } from './scopes.ts';
import type { Answer, Session } from './session.ts';

/**
 * A transaction, which pieces of work share one after another. Its statements are sent in the order in which they are
 * given here.
 */
export class PostgresTransaction {
  readonly #session: Session;
  readonly #posted: Array<Promise<unknown>> = [];
  /** The rows that statements have changed. */
  readonly #changed: Array<Scope | undefined> = [];
  #now: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #account: LockedAccount | undefined;
  #isAccountChanged = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The instant of the transaction. Undefined until it has begun. */
  get now(): number | undefined {
    return this.#now;
  }

  /** The account's row with all changes, those that were not sent included. Undefined if it is not locked. */
  get account(): LockedAccount | undefined {
    return this.#account;
  }

  /** The error of the first statement that failed. Nothing of the transaction can be kept then. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Notes that the transaction has begun. */
  begin(now: number, account: LockedAccount | undefined): void {
    this.#now = now;
    this.#account = account;
  }

  /** Sends a statement that changes nothing. */
  read(sql: string, values: readonly SqlValue[]): Promise<Answer> {
    const answer = this.#session.query(sql, values);
    answer.catch((error: unknown) => (this.#failure ??= { error }));
    return answer;
  }

  /** Sends a statement that may change rows. */
  write(sql: string, values: readonly SqlValue[]): Promise<Answer> {
    this.#changed.push(undefined);
    return this.read(sql, values);
  }

  /** Sends a statement whose answer nobody waits for before {@link settled}. */
  post(sql: string, values: readonly SqlValue[], scopes: ReadonlyArray<Scope | undefined>): void {
    this.#changed.push(...scopes);
    this.#posted.push(this.read(sql, values));
  }

  /** Whether a statement may have changed rows of this scope. */
  mayHaveChanged(scope: Scope | undefined): boolean {
    return this.#changed.some((changed) => mayMeet(changed, scope));
  }

  /** Whether a look-up that was sent at the beginning may have another answer by now. */
  isStale(scope: Scope | undefined): boolean {
    if (this.#isAccountChanged && (!scope || tablesOfAccount.includes(scope.table))) return true;
    return this.mayHaveChanged(scope);
  }

  /** Changes the account's row, or takes a change back. {@link postAccount} sends it. */
  changeAccount(account: LockedAccount | undefined): void {
    this.#account = account;
    this.#isAccountChanged = true;
  }

  /** Sends the changes of the account's row that were not sent yet. */
  postAccount(): void {
    const account = this.#account;
    if (!account?.pending) return;
    const { text, values } = changeAccount(account, this.#now!);
    this.#posted.push(this.read(text, values));
    this.#account = { ...account, pending: undefined };
  }

  /** From here on, statements can be undone alone. Nobody waits for the answer. */
  setSavepoint(): void {
    this.#command('SAVEPOINT piece');
  }

  /** Undoes all statements since the last savepoint. */
  undoToSavepoint(): void {
    this.#command('ROLLBACK TO SAVEPOINT piece; RELEASE SAVEPOINT piece');
  }

  #command(sql: string): void {
    const answer = this.#session.command(sql);
    answer.catch((error: unknown) => (this.#failure ??= { error }));
    this.#posted.push(answer);
  }

  /** Resolves when every posted statement has succeeded. Rejects with the first error. */
  async settled(): Promise<void> {
    await Promise.all(this.#posted);
  }
}
