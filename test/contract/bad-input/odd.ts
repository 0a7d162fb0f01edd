import type { ErrorCode } from '#generated/errors.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';

/** The things that a field can name. Each is made on first use. */
export interface World {
  /** A file of the account. */
  file(): Promise<string>;
  /** A file of another account. */
  foreign(): Promise<string>;
  /** The `upload` string of an upload whose one part has the bytes of {@link smallest}. */
  handle(): Promise<string>;
  shareId(): Promise<string>;
  /** The API key of the account. */
  credential(): Promise<string>;
  operatorKey(): Promise<string>;
  /** Makes something else that is named so, on first use. */
  once(name: string, make: (account: OneAccount) => Promise<string>): Promise<string>;
}

/** The account that sends the requests, and an application of it. */
export interface OneAccount {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly appId: string;
}

/** A value to send, or a function of the {@link World} that makes it. `undefined` leaves the field out. */
export type Value = unknown;

/** Values of a field that its schema does not tell apart, and values that it takes. */
export interface Odd {
  readonly bad: readonly Value[];
  readonly good: readonly Value[];
  /** The code of the bad ones, where it is not that of the field. */
  readonly code?: ErrorCode;
  /** The good values stand in place of those from the schema, which this request could not have. */
  readonly isAll?: true;
}

export const odd = (bad: readonly Value[], good: readonly Value[], code?: ErrorCode): Odd => ({
  bad,
  good,
  ...(code && { code }),
});
export const takes = (...good: readonly Value[]): Odd => ({ bad: [], good });

export const only = (...good: readonly Value[]): Odd => ({ bad: [], good, isAll: true });

export const listOf = <T>(count: number, entry: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => entry(at));
export const long = (count: number, letter = 'a') => letter.repeat(count);

export const prefix = takes('a/b/c/d/e/f/g/h/');
export const listPrefix = odd([long(513, 'ü')], ['', long(1024)]);
export const title = odd([' '], ['a', long(100, 'ü')]);

export interface Sent {
  /** The other fields of the request. */
  readonly beside?: (world: World) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  readonly fields?: Readonly<Record<string, Odd>>;
  /** For a request of which an account takes few while the clock stands still. Its flow tests send good values. */
  readonly takesNone?: boolean;
}
