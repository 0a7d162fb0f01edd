import type { AccountsTable } from '#server/domain/account/table.ts';
import { publicUrl } from '../public-url.ts';
import type { StoredObject } from '../object.ts';
import type { ObjectsTable } from '../table.ts';
import { overTransactions } from '#server/domain/ports/decorated.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { AtomicOptions, Metadata, Transaction } from '#server/domain/ports/metadata.ts';

interface PublicChangesOptions {
  /** The address of the public host, without a slash at its end. */
  readonly publicHost: string;
  readonly ids: Pick<Ids, 'orderedId'>;
  /** How long a caller that purges itself has for it. Then others do so. */
  readonly callerMs: number;
  /** Called after the commit of a change that is to be purged at once. */
  onNoted(): void;
}

/**
 * Returns the same store, which notes purges: for the previous version of each public file that is removed, moved, or
 * gets other bytes or headers, and for all public files of an account that is stopped. A change and its purge are in
 * one transaction. It is done here so that no use case can forget it.
 */
export function notingPublicChanges(metadata: Metadata, options: PublicChangesOptions): Metadata {
  return overTransactions(metadata, (tx, atomic) => {
    const noted = new Set<string>();
    const note = async (file: StoredObject): Promise<void> => {
      const url = publicUrl(options.publicHost, file);
      if (url === null || noted.has(url)) return;
      noted.add(url);
      await add(tx, url, atomic, options);
    };
    const noteStop = async (accountId: string): Promise<void> => {
      tx.afterCommit(options.onNoted);
      await tx.purges.addAccount(accountId);
    };
    return { objects: noting(tx.objects, note), accounts: notingStops(tx.accounts, noteStop) };
  });
}

/** Adds the purge of a URL to a transaction. */
async function add(
  tx: Transaction,
  url: string,
  { purgedChangeId }: AtomicOptions = {},
  { ids, callerMs, onNoted }: PublicChangesOptions,
): Promise<void> {
  const isByCaller = purgedChangeId !== undefined;
  if (!isByCaller) tx.afterCommit(onNoted);
  const dueAt = isByCaller ? tx.now + callerMs : tx.now;
  await tx.purges.add({ id: ids.orderedId(tx.now), url, changeId: purgedChangeId ?? null, dueAt });
}

/** A stopped account serves none of its public files. */
function notingStops(accounts: AccountsTable, note: (accountId: string) => Promise<void>): AccountsTable {
  return {
    ...accounts,
    async setSuspended(accountId, at) {
      await accounts.setSuspended(accountId, at);
      if (at !== null) await note(accountId);
    },
    async setDeleted(accountId, at) {
      await accounts.setDeleted(accountId, at);
      if (at !== null) await note(accountId);
    },
  };
}

function noting(objects: ObjectsTable, note: (file: StoredObject) => Promise<void>): ObjectsTable {
  return {
    ...objects,
    async put(object) {
      if (object.space !== 'private') {
        // A public file hides the legacy file of its key, so the address served either of them.
        const before =
          (await objects.find({ ...object, space: 'public' })) ?? (await objects.find({ ...object, space: 'legacy' }));
        if (before) await note(before);
      }
      await objects.put(object);
    },
    async remove(address) {
      const removed = await objects.remove(address);
      if (removed) await note(removed);
      return removed;
    },
  };
}
