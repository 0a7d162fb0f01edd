import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Rows } from './rows.ts';

/** The links that may open their file, if it has not expired. Queries repeat the condition of the indexes. */
export const openLinks = 'revoked_at IS NULL AND is_gone = 0 AND remaining IS DISTINCT FROM 0';

const ofAddress = `account_id = ? AND space = ? AND key = ? AND ${openLinks}`;

/**
 * Notes that links have lost their file, when it was removed or another file has its address. Lists and counts of links
 * then do not read them. Most files have no link, and cost one look-up.
 *
 * @param generation of the file at the address, whose links stay. Null for none
 */
export async function noteLostFile(
  rows: Rows,
  { accountId, space, key }: ObjectAddress,
  generation: string | null,
): Promise<void> {
  const address = [accountId, spaces.indexOf(space), key];
  const found = await rows.value<number>(`SELECT 1 FROM shares WHERE ${ofAddress} LIMIT 1`, ...address);
  if (found === undefined) return;
  // A thousand links of an account are active at most. These are among those that last longest, so the work has a bound.
  const lasting = `SELECT share_id FROM shares WHERE ${ofAddress} ORDER BY expires_at DESC LIMIT 1000`;
  const note = `UPDATE shares SET is_gone = 1 WHERE share_id IN (${lasting}) AND incarnation IS DISTINCT FROM ?`;
  await rows.run(note, ...address, generation);
}
