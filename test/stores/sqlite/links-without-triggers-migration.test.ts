import { expect, it } from 'vitest';

import { migrate } from '#server/stores/sqlite/migrations.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';

const accountId = '204815162342108999';

it('links whose file was written anew in place are listed again, and those of removed or other files are not', () => {
  const { db } = openOlderDatabase('links-without-triggers');
  db.exec(`INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('${accountId}', 'a', 'pro', 1);
    INSERT INTO contents VALUES ('content', 4, 3)`);
  const addFile = db.prepare(
    `INSERT INTO objects (account_id, space, key, content_id, size_bytes, etag, created_at, metadata, incarnation)
     VALUES ('${accountId}', 1, ?, 'content', 4, 'e', 1, '{}', ?)`,
  );
  const addLink = db.prepare(
    `INSERT INTO shares (share_id, sealed_id, account_id, space, key, incarnation, created_at, expires_at, landing)
     VALUES (?, 's', '${accountId}', 1, ?, ?, 1, 9e12, 0)`,
  );
  for (const key of ['same', 'removed', 'other']) {
    addFile.run(key, 'first');
    addLink.run(key, key, 'first');
  }
  db.exec('DELETE FROM objects');
  addFile.run('same', 'first');
  addFile.run('other', 'second');
  const gone = () => db.prepare('SELECT share_id FROM shares WHERE is_gone = 1 ORDER BY share_id').all();
  expect(gone()).toHaveLength(3);
  migrate(db);
  expect(gone()).toEqual([{ share_id: 'other' }, { share_id: 'removed' }]);
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()).toEqual([]);
});
