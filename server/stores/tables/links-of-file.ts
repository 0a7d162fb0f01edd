import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import { recordShareEnd, type ToldShare } from '#server/domain/shares/share-event.ts';
import { record } from './columns.ts';
import { eventsTable } from './events.ts';
import { table, type Rows } from './rows.ts';

/** The links that may open their file, if it has not expired. Queries repeat the condition of the indexes. */
export const openLinks = 'revoked_at IS NULL AND is_gone = 0 AND remaining IS DISTINCT FROM 0';

const links = table(
  'shares',
  record<Omit<ToldShare, 'object'>>({
    createdAt: 'created_at',
    expiresAt: 'expires_at',
    maxDownloads: 'max_downloads',
    remainingDownloads: 'remaining',
  }),
);

/** A thousand links of an account are active at most. These are among those that last longest, so the work has a bound. */
const toAddress = `WHERE account_id = ? AND space = ? AND key = ? AND ${openLinks} ORDER BY expires_at DESC LIMIT 1000`;

const note = `UPDATE shares SET is_gone = 1 WHERE share_id IN (SELECT share_id FROM shares ${toAddress})`;

/**
 * Notes that the links to an address have lost their file, so that lists and counts of links do not read them, and adds
 * the event of their end. It is here because only this note says which links have not ended before.
 */
export async function noteLostFile(rows: Rows, object: ObjectAddress, now: number): Promise<void> {
  const address = [object.accountId, spaces.indexOf(object.space), object.key];
  const lost = await rows.all(links, toAddress, ...address);
  // Most files have no link.
  if (lost.length === 0) return;
  await rows.write(note, ...address);
  const tx = { events: eventsTable(rows), now, afterCommit: () => {} };
  for (const link of lost)
    await recordShareEnd(tx, { object, ...link }, link.expiresAt <= now ? 'expired' : 'file_gone');
}
