import type { AuditAction, AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import { requireAccount } from './change-account.ts';
import { isToBeRemoved } from './closed-account.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'audit' | 'browserSessions'>;
}

interface CloseAccount {
  readonly accountId: string;
  readonly by: AuditActor;
}

/**
 * Stops an account from the next request on: its credentials, public files and links do not work, and the sessions of
 * browsers end. May be called twice.
 *
 * @throws ACCOUNT_NOT_FOUND
 */
export function suspendAccount(deps: Deps, command: CloseAccount): Promise<Account> {
  return changed(deps, command, 'account.suspended', async (tx, { id, suspendedAt }) => {
    if (suspendedAt !== null) return;
    await tx.accounts.setSuspended(id, tx.now);
    await tx.browserSessions.endThoseOf({ accountId: id });
  });
}

/** Ends a suspension. May be called twice. @throws ACCOUNT_NOT_FOUND */
export function resumeAccount(deps: Deps, command: CloseAccount): Promise<Account> {
  return changed(deps, command, 'account.resumed', async (tx, { id, suspendedAt }) => {
    if (suspendedAt !== null) await tx.accounts.setSuspended(id, null);
  });
}

/**
 * Stops an account as {@link suspendAccount} does. A job removes it 7 days after the first call.
 *
 * @throws ACCOUNT_NOT_FOUND
 */
export function deleteAccount(deps: Deps, command: CloseAccount): Promise<Account> {
  return changed(deps, command, 'account.deleted', async (tx, { id, deletedAt }) => {
    if (deletedAt !== null) return;
    await tx.accounts.setDeleted(id, tx.now);
    await tx.browserSessions.endThoseOf({ accountId: id });
  });
}

/**
 * Brings a deleted account back. An earlier suspension stays. May be called twice.
 *
 * @throws ACCOUNT_NOT_FOUND also when it is to be removed: its files may be gone already
 */
export function restoreAccount(deps: Deps, command: CloseAccount): Promise<Account> {
  return changed(deps, command, 'account.restored', async (tx, account) => {
    if (isToBeRemoved(account, tx.now)) throw new Refusal('ACCOUNT_NOT_FOUND');
    if (account.deletedAt !== null) await tx.accounts.setDeleted(account.id, null);
  });
}

/** Changes an account, and records it if something changed. */
function changed(
  { metadata }: Deps,
  { accountId, by }: CloseAccount,
  action: AuditAction,
  change: (tx: Transaction<'accounts' | 'audit' | 'browserSessions'>, account: Account) => Promise<void>,
): Promise<Account> {
  return metadata.atomically(
    async (tx) => {
      const before = await requireAccount(tx, accountId);
      await change(tx, before);
      const after = await requireAccount(tx, accountId);
      const isSame = before.suspendedAt === after.suspendedAt && before.deletedAt === after.deletedAt;
      if (!isSame) await recordAudit(tx, { action, by, accountId, subject: accountId, details: { name: after.name } });
      return after;
    },
    { account: accountId },
  );
}
