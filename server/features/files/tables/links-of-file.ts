import type { ToldShare } from '#server/domain/events/share-event.ts';
import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { LinksOfFileTable } from '../links-of-file-table.ts';
import { record, snakeCase } from '#server/stores/tables/columns.ts';
import { addressColumns } from '#server/stores/tables/address-columns.ts';
import { table, type Rows, type SqlValue } from '#server/stores/tables/rows.ts';

/** The links that may open their file, if it has not expired. Queries repeat the condition of the indexes. */
export const openLinks = 'revoked_at IS NULL AND is_end_told = 0 AND remaining IS DISTINCT FROM 0';

/** The address of a link to several files is a folder, so none of those is meant. */
const ofFile = 'account_id = ? AND space = ? AND key = ? AND bundle IS NULL';

/**
 * A thousand links of an account are active at most. These are among those that last longest, so the work has a bound.
 */
const longestFirst = 'ORDER BY expires_at DESC LIMIT 1000';

const links = table(
  'shares',
  record<ToldShare & { readonly idHash: string }>({
    idHash: 'share_id',
    object: addressColumns,
    ...snakeCase('createdAt', 'expiresAt', 'maxDownloads'),
    remainingDownloads: 'remaining',
  }),
);

function valuesOf({ accountId, space, key }: ObjectAddress): SqlValue[] {
  return [accountId, spaces.indexOf(space), key];
}

/** The links of a file that is removed or comes back. */
export function linksOfFileTable(rows: Rows): LinksOfFileTable {
  return {
    async lose(address) {
      const lost = await rows.all(links, `WHERE ${ofFile} AND ${openLinks} ${longestFirst}`, ...valuesOf(address));
      for (const { idHash } of lost) await rows.write('UPDATE shares SET is_end_told = 1 WHERE share_id = ?', idHash);
      return lost;
    },
    async regain(address, generation, now) {
      const which = `${ofFile} AND generation = ? AND is_end_told = 1 AND revoked_at IS NULL AND expires_at > ?`;
      const values = [...valuesOf(address), generation, now];
      const regained = await rows.all(links, `WHERE ${which} ${longestFirst}`, ...values);
      for (const { idHash } of regained)
        await rows.write('UPDATE shares SET is_end_told = 0 WHERE share_id = ?', idHash);
      return regained;
    },
  };
}
