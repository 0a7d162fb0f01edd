import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Rows } from './rows.ts';

/** The links that may open their file, if it has not expired. Queries repeat the condition of the indexes. */
export const openLinks = 'revoked_at IS NULL AND is_gone = 0 AND remaining IS DISTINCT FROM 0';

/** The address of a link to several files is a folder. */
const toAddress = `FROM shares WHERE account_id = ? AND space = ? AND key = ? AND bundle IS NULL AND ${openLinks}`;

/** A thousand links of an account are active at most. These are among those that last longest, so the work has a bound. */
const note = `UPDATE shares SET is_gone = 1
  WHERE share_id IN (SELECT share_id ${toAddress} ORDER BY expires_at DESC LIMIT 1000)`;

/** Notes that the links to an address have lost their file, so that lists and counts of links do not read them. */
export async function noteLostFile(rows: Rows, { accountId, space, key }: ObjectAddress): Promise<void> {
  const address = [accountId, spaces.indexOf(space), key];
  // Most files have no link, which SQLite finds out sooner than it runs the update.
  if ((await rows.value<number>(`SELECT 1 ${toAddress} LIMIT 1`, ...address)) !== undefined)
    await rows.write(note, ...address);
}
