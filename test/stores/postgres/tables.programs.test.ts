import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { metadataConformance } from '../metadata/conformance.ts';
import { unexcepted } from '../plans/exceptions.ts';
import { LargePostgres } from '../plans/postgres-plans.ts';
import { recordPostgres, type Recording } from '../plans/recorded.ts';
import { openPostgres } from './open-postgres.ts';

describe.skipIf(noPostgres())(`over PostgreSQL${because(noPostgres())}`, () => {
  let recording: Recording;
  beforeAll(() => void (recording = recordPostgres()));
  afterAll(() => recording.stop());

  metadataConformance('PostgresMetadata', openPostgres);

  it('no statement of any table reads more of 10 million files than it needs', async () => {
    const database = await freshDatabase(migrated);
    const large = await LargePostgres.open(database.url);
    try {
      expect(await unexcepted(recording, (sql, values) => large.problemsOf(sql, values))).toEqual([]);
    } finally {
      await large.close();
      await database.drop();
    }
  });
});
