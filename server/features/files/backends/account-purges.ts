import { publicUrl } from '../public-url.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

interface Options {
  /** The address of the public host, without a slash at its end. */
  readonly publicHost: string;
  readonly ids: Pick<Ids, 'orderedId'>;
}

/** Files whose purges are written in one transaction. Requests in between do not notice. */
const batchFiles = 100;

/** While so many purges wait, no more are written. An account may have a million files. */
const mostWaiting = 1_000;

/**
 * Writes purges for the next public files of a stopped account. Any process may go on with it.
 *
 * @returns whether there may be more to write now
 */
export async function purgeStoppedAccounts(
  metadata: Metadata<'objects' | 'purges'>,
  { publicHost, ids }: Options,
): Promise<boolean> {
  if (!(await metadata.read.purges.anyAccount())) return false;
  if ((await metadata.read.purges.count(mostWaiting)) >= mostWaiting) return false;
  return metadata.atomically(async (tx) => {
    const place = await tx.purges.nextAccount();
    if (!place) return false;
    const { accountId, space, lastKey } = place;
    const from = lastKey === null ? {} : { from: { behind: lastKey } };
    const files = await tx.objects.scan({ accountId, space, prefix: '', ...from, limit: batchFiles });
    for (const file of files) {
      const url = publicUrl(publicHost, file);
      if (url !== null) await tx.purges.add({ id: ids.orderedId(tx.now), url, changeId: null, dueAt: tx.now });
    }
    if (files.length === batchFiles) await tx.purges.saveAccount({ ...place, lastKey: files.at(-1)!.key });
    else if (space === 'public') await tx.purges.saveAccount({ accountId, space: 'legacy', lastKey: null });
    else await tx.purges.removeAccount(accountId);
    return true;
  });
}
