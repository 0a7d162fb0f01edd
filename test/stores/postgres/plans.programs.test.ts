import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase, type TestDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { unexcepted } from '../plans/exceptions.ts';
import { LargePostgres } from '../plans/postgres-plans.ts';
import { recordPostgres, type Recording } from '../plans/recorded.ts';
import { rarelyDone, workServer } from '../plans/worked-server.ts';

describe.skipIf(noPostgres())(`the plans of PostgreSQL${because(noPostgres())}`, () => {
  let recording: Recording;
  let failed: readonly string[];
  let served: TestDatabase;
  let believing: TestDatabase;
  let large: LargePostgres;

  beforeAll(async () => {
    [served, believing] = await Promise.all([freshDatabase(migrated), freshDatabase(migrated)]);
    large = await LargePostgres.open(believing.url);
    recording = recordPostgres();
    failed = await workServer({ env: { CUBBY_DATABASE_URL: served.url } });
    recording.stop();
  });
  afterAll(async () => {
    await large.close();
    await Promise.all([served.drop(), believing.drop()]);
  });

  const problems = () => unexcepted(recording, (sql, values) => large.problemsOf(sql, values));

  it('are those of every operation', () => {
    expect(failed.filter((id) => !rarelyDone.has(id))).toEqual([]);
    expect(recording.statements.size).toBeGreaterThan(300);
  });

  it('read no more of 10 million files than they need', async () => expect(await problems()).toEqual([]));

  it.each(['objects_by_expiry', 'trash_by_content', 'rules_uncounted'])('show that %s is missing', (index) =>
    large.without(index, async () => expect(await problems()).not.toEqual([])),
  );
});
