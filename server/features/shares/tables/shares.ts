import type { Share } from '../share.ts';
import type { ExpiredShare, ListedShare, SharesTable, StoredShareId } from '../table.ts';
import { type Fields, flag, record, snakeCase } from '#server/stores/tables/columns.ts';
import { openLinks } from '#server/features/files/tables/links-of-file.ts';
import { addressColumns } from '#server/stores/tables/address-columns.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';
import { downloadsTable } from './share-downloads.ts';

const fields: Fields<Share> = {
  idHash: 'share_id',
  sealedId: 'sealed_id',
  object: addressColumns,
  ...snakeCase('generation', 'bundle', 'fileCount', 'createdAt', 'expiresAt', 'maxDownloads'),
  remainingDownloads: 'remaining',
  passwordHash: 'password_hash',
  hasLanding: flag('landing'),
  ...snakeCase('title', 'message', 'downloads', 'revokedAt'),
};

/** The file that a link was made for, even if expired. */
const itsFile = `FROM objects
  WHERE objects.account_id = shares.account_id AND objects.space = shares.space AND objects.key = shares.key
  AND objects.generation = shares.generation`;

/** Whether that file is there. A link to several files stays without them. Parameter: now. */
const hasFile = `(bundle IS NOT NULL
  OR EXISTS (SELECT 1 ${itsFile} AND (objects.expires_at IS NULL OR objects.expires_at > ?)))`;

/** Parameters: the account, now, now. */
const active = `${openLinks} AND account_id = ? AND expires_at > ? AND ${hasFile}`;

const newestFirst = 'ORDER BY created_at DESC, share_id DESC';

const listed = record<ListedShare>({
  ...fields,
  fileExpiresAt: `(SELECT objects.expires_at ${itsFile})`,
  fileName: `(SELECT objects.original_name ${itsFile})`,
});

const shares = table('shares', record<Share>(fields));
const storedIds = table('shares', record<StoredShareId>({ idHash: 'share_id', sealedId: 'sealed_id' }));
const listedShares = table('shares', listed);
const expiredShares = table('shares', record<ExpiredShare>({ ...fields, hasEnded: flag('is_end_told') }));

/** The newest spent links. Parameters: the account and a limit, which bounds how many rows are read. */
const spentShares = table(
  `(SELECT * FROM shares
    WHERE revoked_at IS NULL AND remaining = 0 AND account_id = ? ${newestFirst} LIMIT ?) AS shares`,
  listed,
);

function byAge(one: Share, other: Share): number {
  return other.createdAt - one.createdAt || (other.idHash < one.idHash ? -1 : 1);
}

/** Share links and their downloads. */
export function sharesTable(rows: Rows): SharesTable {
  return {
    ...shareReads(rows),
    ...downloadsTable(rows),
    async add(share) {
      await rows.insert(shares, share);
    },
    async renewId(idHash, { foundBy, sealedId }) {
      await rows.write('UPDATE shares SET found_by = ?, sealed_id = ? WHERE share_id = ?', foundBy, sealedId, idHash);
    },
    async revoke(idHash, now) {
      await rows.write('UPDATE shares SET revoked_at = ? WHERE share_id = ? AND revoked_at IS NULL', now, idHash);
    },
    async change({ idHash, expiresAt, maxDownloads, remainingDownloads, passwordHash, hasLanding, title, message }) {
      await rows.write(
        `UPDATE shares SET expires_at = ?, max_downloads = ?, remaining = ?, password_hash = ?,
           landing = ?, title = ?, message = ?
         WHERE share_id = ?`,
        ...[expiresAt, maxDownloads, remainingDownloads, passwordHash, Number(hasLanding), title, message, idHash],
      );
    },
    async countDownload(idHash) {
      await rows.write('UPDATE shares SET downloads = downloads + 1 WHERE share_id = ?', idHash);
    },
    async spend(idHash) {
      const spend =
        'UPDATE shares SET remaining = remaining - 1, downloads = downloads + 1 WHERE share_id = ? AND remaining > 0';
      return (await rows.run(spend, idHash)) === 1;
    },
    async returnDownload(idHash) {
      // A link whose file is gone gets nothing back. Nobody would see it, and later queries would read it in vain.
      const isOpen = `remaining < max_downloads AND (bundle IS NOT NULL OR EXISTS (SELECT 1 ${itsFile}))`;
      await rows.write(
        `UPDATE shares SET remaining = remaining + 1, downloads = downloads - 1
         WHERE share_id = ? AND downloads > 0 AND ${isOpen}`,
        idHash,
      );
    },
    async noteExpired(idHash) {
      const note = 'UPDATE shares SET is_end_told = 1 WHERE share_id = ? AND is_end_told = 0 AND revoked_at IS NULL';
      return (await rows.run(note, idHash)) === 1;
    },
    forgetExpiredBefore: async (instant, limit) =>
      rows.removeSome('shares', 'share_id', 'expires_at < ? ORDER BY expires_at', instant, limit),
  };
}

function shareReads(rows: Rows) {
  return {
    find: async (idHash) => rows.one(shares, 'WHERE share_id = ?1 OR found_by = ?1', idHash),
    listAfter: async (idHash, limit) =>
      rows.all(storedIds, 'WHERE share_id > ? ORDER BY share_id LIMIT ?', idHash, limit),
    async listOf(accountId, now, limit) {
      // Both at once, so that a link whose last download is taken meanwhile is in one of them.
      const [lasting, spent] = await Promise.all([
        rows.all(listedShares, `WHERE ${active} ${newestFirst} LIMIT ?`, accountId, now, now, limit),
        rows.all(spentShares, `WHERE expires_at > ? AND ${hasFile}`, accountId, limit, now, now),
      ]);
      return [...lasting, ...spent.toSorted(byAge).slice(0, limit - lasting.length)].toSorted(byAge);
    },
    countActive: async (accountId, now) =>
      (await rows.value<number>(`SELECT count(*) FROM shares WHERE ${active}`, accountId, now, now))!,
    expired: async ({ expiresAt, idHash }, now, limit) =>
      rows.all(
        expiredShares,
        'WHERE (expires_at, share_id) > (?, ?) AND expires_at <= ? ORDER BY expires_at, share_id LIMIT ?',
        ...[expiresAt, idHash, now, limit],
      ),
  } satisfies Partial<SharesTable>;
}
