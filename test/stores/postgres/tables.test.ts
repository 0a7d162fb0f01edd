import { describe } from 'vitest';

import { noPostgres } from '#test/support/postgres/programs.ts';
import { metadataConformance } from '../metadata/conformance.ts';
import { openPostgres } from './open-postgres.ts';

describe.skipIf(noPostgres() !== undefined)('over PostgreSQL', () => {
  metadataConformance('PostgresMetadata', openPostgres);
});
