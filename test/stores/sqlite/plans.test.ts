import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { writeFreshDatabase } from '#test/support/fresh-folder.ts';
import { unexcepted } from '../plans/exceptions.ts';
import { recordSqlite, type Recording } from '../plans/recorded.ts';
import { LargeSqlite } from '../plans/sqlite-plans.ts';
import { rarelyDone, workServer } from '../plans/worked-server.ts';

describe('the plans of SQLite', () => {
  let folder: string;
  let recording: Recording;
  let failed: readonly string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cubby-plans-'));
    recording = recordSqlite();
    failed = await workServer({ ownStores: true });
    recording.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function openLarge(name: string, isCounted: boolean, change = ''): LargeSqlite {
    const path = join(folder, name);
    writeFreshDatabase(path);
    const db = new DatabaseSync(path);
    db.exec(change);
    return new LargeSqlite(db, { isCounted });
  }

  const problemsOf = (large: LargeSqlite) => unexcepted(recording, (sql) => large.problemsOf(sql));

  it('are those of every operation', () => {
    expect(failed.filter((id) => !rarelyDone.has(id))).toEqual([]);
    // An operation has at least one of its own, as a rule.
    expect(recording.statements.size).toBeGreaterThan(Object.keys(policies).length);
  });

  it('read no more of 10 million files than they need, without the figures of ANALYZE, as the server runs', async () =>
    expect(await problemsOf(openLarge('plain.db', false))).toEqual([]));

  it('read no more of 10 million files than they need, with the figures of ANALYZE', async () =>
    expect(await problemsOf(openLarge('counted.db', true))).toEqual([]));

  it.each(['objects_by_expiry', 'trash_by_content', 'rules_uncounted'])('show that %s is missing', async (index) =>
    expect(await problemsOf(openLarge(`without-${index}.db`, false, `DROP INDEX ${index}`))).not.toEqual([]),
  );
});
