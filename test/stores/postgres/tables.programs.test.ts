import { describe } from 'vitest';

import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { metadataConformance } from '../metadata/conformance.ts';
import { openPostgres } from './open-postgres.ts';

describe.skipIf(noPostgres())(`over PostgreSQL${because(noPostgres())}`, () => {
  metadataConformance('PostgresMetadata', openPostgres);
});
