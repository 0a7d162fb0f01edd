import { isToBeRemoved, removedFrom } from '../account/closed-account.ts';
import { systemActor } from '../activity/activity.ts';
import { serverActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { closeAborted } from '#server/features/uploads/abort-chunked-upload.ts';
import { clearClosedUploads } from '#server/features/uploads/clear-closed-uploads.ts';
import { deletedAccountsKeptMs } from '../limits.ts';
import { spaces } from '../object-id.ts';
import { removeObject } from '#server/features/files/delete-objects.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Metadata } from '../ports/metadata.ts';
import { emptyTrash } from '#server/features/trash/purge-versions.ts';
import { sweep } from '../sweep.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'audit' | 'chunkedUploads'>;
}

/** Files that are deleted in one transaction. They are few enough that requests in between do not notice. */
const batchFiles = 50;

/** Other rows in one transaction. */
const batchRows = 500;

/** Accounts that one run removes. The next run goes on. */
const maxAccounts = 100;

/**
 * Removes the accounts whose 7 days after their deletion are over at `now`: files, uploads, then every other row. A run
 * that was interrupted is continued by the next one. Returns how many accounts are gone. Two runs may overlap.
 */
export async function removeAccounts({ metadata }: Deps, now: number): Promise<number> {
  const due = await metadata.read.accounts.deletedBefore(now - deletedAccountsKeptMs, maxAccounts);
  let removed = 0;
  for (const account of due) {
    if (!isToBeRemoved(account, now)) continue;
    await removeFiles(metadata, account.id);
    await emptyTrash({ metadata }, account.id);
    await removeUploads(metadata, account.id);
    removed += await removeRows(metadata, account.id, now);
  }
  return removed;
}

async function removeFiles(metadata: Deps['metadata'], accountId: string): Promise<void> {
  for (const space of spaces)
    await sweep(
      batchFiles,
      (limit) => metadata.read.objects.scan({ accountId, space, prefix: '', limit }),
      async (files) => {
        await metadata.atomically(
          async (tx) => {
            for (const file of files) await removeObject(tx, file, systemActor, false);
          },
          { account: accountId },
        );
        return files.length;
      },
    );
}

async function removeUploads(metadata: Deps['metadata'], accountId: string): Promise<void> {
  for (const { id } of await metadata.read.chunkedUploads.openOf(accountId, Number.MIN_SAFE_INTEGER))
    await metadata.atomically(
      async (tx) => {
        const upload = await tx.chunkedUploads.find(id);
        if (upload?.state === 'open') await closeAborted(tx, upload, systemActor);
      },
      { account: accountId },
    );
  await clearClosedUploads({ metadata });
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
