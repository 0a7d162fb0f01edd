import type { OperationId } from '#generated/policies.ts';
import type { TestAccount, TestServer } from './server.ts';

interface At {
  readonly server: TestServer;
  readonly account: TestAccount;
}

/** Addresses of one path, and the headers without which they lead nowhere. */
export interface Visited {
  readonly addresses: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes an address. Returns its secret part with what shows the whole address to its owner. */
export type MakeSecret = (at: At) => Promise<readonly [secret: string, show: () => Promise<string>]>;

/** What a feature adds to the tests of addresses that need no credential: `test/features/<feature>/addresses.ts`. */
export interface Addresses {
  /** Makes addresses that open something for everybody who knows them, by their path. */
  open(at: At): Promise<Readonly<Record<string, Visited>>>;
  /** Makes addresses of operations that look before they read a body. */
  takingBodies(at: At): Promise<Readonly<Partial<Record<OperationId, string>>>>;
  /** Operations for anybody that read a body of any size as it arrives. */
  readonly streaming: readonly OperationId[];
  readonly secret: Readonly<Record<string, MakeSecret>>;
}
