import type { OperationId } from '#generated/policies.ts';
import type { errors } from '#generated/errors.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';

interface At {
  readonly server: TestServer;
  readonly account: TestAccount;
}

/** The initial fields of a form of a page, and its address. */
export interface PageForm {
  readonly door: 'api' | 'files';
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A cap of an account that its weakest key could fill. */
export interface Cap {
  readonly name: string;
  readonly code: keyof typeof errors.envelope;
  readonly cap: number;
  readonly scopes: readonly ('blob:read' | 'blob:write')[];
  /** Takes one place. */
  readonly take: (credential: string, at: At) => Promise<Pick<TestAnswer, 'status' | 'json'>>;
  /** Takes all but a few places at once, beside one that is taken. */
  readonly fill?: (server: TestServer, account: TestAccount, places: number) => Promise<void>;
}

/** A door that takes the name of a file, and refuses those of programs. */
export interface NameDoor {
  readonly send: (at: At, filename: string) => Promise<TestAnswer>;
  /** Names that it stores in a form that is no program. */
  readonly harmless?: RegExp;
}

/** A refusal that a setting of the operator lifts. */
export interface Switch {
  readonly code: string;
  /** As the refusal names it. */
  readonly named: string;
  /** The setting that lifts it, beside those of a default server. Undefined where a test server cannot have it. */
  readonly lifting?: Readonly<Record<string, string>>;
  /** What a default server has in production. */
  readonly env?: Readonly<Record<string, string>>;
  ask(at: At): Promise<TestAnswer>;
}

/** Something that a client has from before a rotation of the master key. Each use returns the status of the response. */
export interface Kept {
  readonly use: () => Promise<number>;
  /** The status after the grace period. */
  readonly afterwards: number;
}

/**
 * What an operation does with `If-Match` and `If-None-Match`:
 * - `kept`: it writes its file only if they hold, in the transaction that writes.
 * - `refused`: it answers 400.
 * - `no file`: it replaces and deletes no file that a client could name.
 */
export type Conditions = Partial<Record<OperationId, 'kept' | 'refused' | 'no file'>>;

/** A request that refuses conditions. */
export type Refuses = (account: TestAccount, headers: Readonly<Record<string, string>>) => Promise<TestAnswer>;

/** What a feature adds to tests that go through a table: `test/features/<feature>/cases.ts`. */
export interface Cases {
  readonly forms: Readonly<Record<string, (at: At) => Promise<PageForm>>>;
  readonly caps: readonly Cap[];
  readonly nameDoors: Readonly<Record<string, NameDoor>>;
  readonly switches: Readonly<Record<string, Switch>>;
  readonly kept: (at: At) => Promise<Readonly<Record<string, Kept>>>;
  readonly conditions: Conditions;
  /** Requests that refuse conditions. */
  readonly refusing: (server: TestServer) => Readonly<Record<string, Refuses>>;
  /** The limits of the operations that take bytes of a file. */
  readonly byteLimits: Readonly<Partial<Record<OperationId, string>>>;
}
