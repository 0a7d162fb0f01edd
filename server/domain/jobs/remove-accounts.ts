import { isToBeRemoved, removedFrom } from '../account/closed-account.ts';
import { serverActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { deletedAccountsKeptMs } from '../limits.ts';
import type { AccountLeases } from '../ports/job-leases.ts';
import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';
import { withAccounts } from './with-accounts.ts';

/**
 * Removes what an account has of a feature that more depends on than its rows, such as quota and blobs. The next run
 * continues one that was interrupted. Two runs may overlap.
 */
export type EmptyAccount = (deps: { readonly metadata: Metadata }, accountId: string) => Promise<unknown>;

interface Deps {
  readonly metadata: Metadata;
  readonly accountLeases?: AccountLeases | undefined;
  /** What empties an account, in order. */
  readonly accountEmptiers: readonly EmptyAccount[];
  /** From 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Rows in one transaction. */
const batchRows = 500;

/** Accounts that one run removes. The next run goes on. */
const maxAccounts = 100;

/** So many accounts that fail one after the other are hardly the cause: the store is. The run ends then. */
const mostFailedInARow = 10;

/**
 * Removes the accounts whose 7 days after their deletion are over at `now`: files, uploads, then every other row. A run
 * that was interrupted is continued by the next one. Returns how many accounts are gone. Two runs may overlap, and
 * servers that run it at once have an account each.
 *
 * @throws the first error of an account, after the others have been removed or too many have failed in a row
 */
export async function removeAccounts(deps: Deps, now: number): Promise<number> {
  const found = await deps.metadata.read.accounts.deletedBefore(now - deletedAccountsKeptMs, maxAccounts);
  // Accounts that fail each time must not keep the others from their turn.
  const first = Math.floor((deps.random ?? Math.random)() * found.length);
  const due = [...found.slice(first), ...found.slice(0, first)];
  const failures: unknown[] = [];
  let removed = 0;
  let failedInARow = 0;
  for (const { id } of due) {
    try {
      removed += await withAccounts(deps, 'remove-accounts', [id], (taken) => removeOne(deps, taken.get(id), id, now));
      failedInARow = 0;
    } catch (error) {
      failures.push(error);
      if (++failedInARow === mostFailedInARow) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}

/** @param metadata undefined if another server works on the account */
async function removeOne(deps: Deps, metadata: Metadata | undefined, id: string, now: number): Promise<number> {
  // It may be restored, or another server may have removed it since the list was read.
  const account = metadata && (await metadata.read.accounts.find(id));
  if (!account || !isToBeRemoved(account, now)) return 0;
  for (const empty of deps.accountEmptiers) await empty({ metadata }, id);
  return removeRows(metadata, id, now);
}

/** Returns 1 if this call removed the account itself. */
async function removeRows(metadata: Deps['metadata'], accountId: string, now: number): Promise<number> {
  await sweep(
    batchRows,
    async (limit) => ({ length: await metadata.atomically((tx) => tx.accounts.removeSome(accountId, limit)) }),
    async ({ length }) => length,
  );
  return metadata.atomically(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (!account || !isToBeRemoved(account, now)) return 0;
    await tx.accounts.remove(accountId);
    const details = { name: account.name, removed_from: new Date(removedFrom(account)!).toISOString() };
    await recordAudit(tx, { action: 'account.removed', by: serverActor, accountId, subject: accountId, details });
    return 1;
  });
}
