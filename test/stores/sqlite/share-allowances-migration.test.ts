import { expect, it } from 'vitest';

import { migrate } from '#server/stores/sqlite/migrations.ts';
import { SqliteRows } from '#server/stores/sqlite/rows.ts';
import { sharesTable } from '#server/stores/tables/shares.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';

const accountId = '204815162342108999';

/** Makes a database from when downloads were counted by pieces, with one download for each list of pieces. */
function olderDatabase(
  downloads: ReadonlyArray<{ readonly id: string; readonly pieces: unknown; readonly resentBytes: number }>,
) {
  const { db } = openOlderDatabase('share-allowances');
  db.exec(`INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('${accountId}', 'a', 'pro', 1);
    INSERT INTO contents VALUES ('content', 1000, 1);
    INSERT INTO shares (share_id, account_id, space, key, incarnation, created_at, expires_at, max_downloads, remaining, landing) VALUES ('share', '${accountId}', 1, 'a.png', 'i', 1, 99, 5, 1, 0)`);
  const add = db.prepare("INSERT INTO share_downloads VALUES (?, 'share', '192.0.2.1', 'curl', 'content', 7, ?, ?)");
  for (const { id, pieces, resentBytes } of downloads) add.run(id, JSON.stringify(pieces), resentBytes);
  migrate(db);
  return db;
}

it('downloads that are open at the upgrade keep their unsent bytes, and get the size of the file again, up to 16 MiB', async () => {
  const piece = { softFrom: 0, claimId: null };
  const db = olderDatabase([
    {
      id: 'begun',
      pieces: [
        { ...piece, start: 0, end: 300 },
        { ...piece, start: 500, end: 600 },
      ],
      resentBytes: 50,
    },
    { id: 'whole', pieces: [{ ...piece, start: 0, end: 1000 }], resentBytes: 0 },
    { id: 'twice', pieces: [{ ...piece, start: 0, end: 1000 }], resentBytes: 1200 },
    { id: 'none', pieces: [], resentBytes: 0 },
  ]);
  const shares = sharesTable(new SqliteRows(() => db));
  const left = await Promise.all(
    ['begun', 'whole', 'twice', 'none'].map(async (id) => (await shares.findDownload(id))!.leftBytes),
  );
  expect(left).toEqual([2000 - 400 - 50, 1000, 0, 2000]);
  expect(await shares.findDownload('begun')).toMatchObject({ openedAt: 7, idHash: 'share', contentId: 'content' });
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
});
