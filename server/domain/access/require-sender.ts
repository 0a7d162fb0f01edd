import type { Account } from '../account/account.ts';
import { isAtLeast } from '../plan.ts';
import type { Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';

/**
 * Whether a key is still live and has the same secret. A secret counts as the same if its last four characters and the
 * key's S3 salt are.
 */
export async function isSameLiveKey(tx: Transaction<'apiKeys'>, { id, last4, s3Salt }: ApiKey): Promise<boolean> {
  const key = await tx.apiKeys.find(id);
  return key !== undefined && isLive(key, tx.now) && key.last4 === last4 && key.s3Salt === s3Salt;
}

/**
 * Checks the sender again, in the transaction that stores a body. A body may take hours, so its key may have been
 * revoked meanwhile. An upload token ends with the key that minted it. A token that expired meanwhile may still finish
 * its upload.
 *
 * @returns the account as it is now
 * @throws ACCESS_DENIED when the key was revoked, has expired or got another secret
 */
export async function requireSender(
  tx: Transaction<'accounts' | 'apiKeys'>,
  { account: { id }, key }: Pick<Caller, 'account' | 'key'>,
): Promise<Account> {
  const [account, isLiveKey] = await Promise.all([tx.accounts.find(id), isSameLiveKey(tx, key)]);
  if (account && isLiveKey) return account;
  throw new Refusal('ACCESS_DENIED', {
    message:
      'The key was revoked, expired or got a new secret while the body was on its way. Nothing was stored. Send ' +
      'it again with a valid key.',
  });
}

/** Somebody who sends bytes for an account. */
export interface BytesSender {
  readonly account: Account;
  /** Checks the sender again, before the transaction that stores bytes. Throws if it may send them no more. */
  requireBefore?(): Promise<unknown>;
  /** Does the same in that transaction. */
  requireStill(tx: Transaction<'accounts' | 'apiKeys'>): Promise<unknown>;
}

/** Returns the sender that a caller with a key is. @see requireSender */
export function senderOf(caller: Pick<Caller, 'account' | 'key'>): BytesSender {
  return { account: caller.account, requireStill: (tx) => requireSender(tx, caller) };
}

/** Checks that the account may upload. @throws PERMISSION_DENIED without an active plan */
export function requireActivePlan({ plan }: Pick<Account, 'plan'>): void {
  if (!isAtLeast(plan, 'hobby')) throw new Refusal('PERMISSION_DENIED');
}
