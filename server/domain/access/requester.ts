import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import type { Prefix } from '../prefixes.ts';

/** What a key sees of an account. */
export interface Reach {
  readonly accountId: string;
  /** The prefixes that the key is restricted to. Null for none. */
  readonly prefixes: readonly Prefix[] | null;
}

/** A key that changes something of its account. */
export interface Requester extends Reach {
  readonly account: Account;
  /** The key that was sent. */
  readonly keyId: string;
  readonly actor: Actor;
}
