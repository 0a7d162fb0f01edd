import { describe } from 'vitest';

import { PostgresChatReservations } from '#server/features/chat/stores/postgres/chat-reservations.ts';
import { stateDatabase } from '#server/stores/postgres/state/database.ts';
import { listening } from '#server/stores/postgres/state/listening.ts';
import { PostgresPasswordTries } from '#server/features/shares/stores/postgres/password-tries.ts';
import { PostgresRateLimits } from '#server/stores/postgres/state/rate-limits.ts';
import { PostgresSlots } from '#server/stores/postgres/state/slots.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { chatReservationsConformance } from '../state/chat-reservations.ts';
import { passwordTriesConformance } from '../state/password-tries.ts';
import { rateLimitsConformance } from '../state/rate-limits.ts';
import { slotsConformance } from '../state/slots.ts';
import { openPostgres } from './open-postgres.ts';

/** The process without a lease, which every database has. */
const owner = () => '';

const open = async () => stateDatabase((await openPostgres()).pool);

describe.skipIf(noPostgres())(`over PostgreSQL${because(noPostgres())}`, () => {
  rateLimitsConformance(
    'PostgresRateLimits',
    async () => {
      const database = await open();
      const limits = () => new PostgresRateLimits(database, owner);
      return { limits: limits(), restart: async () => limits() };
    },
    200,
  );

  slotsConformance('PostgresSlots', async () => {
    const { pool } = await openPostgres();
    const database = stateDatabase(pool);
    const slots = new PostgresSlots(database, owner, listening(pool, 'cubby_slots'));
    return { slots, admission: new PostgresRateLimits(database, owner) };
  });

  passwordTriesConformance('PostgresPasswordTries', async () => new PostgresPasswordTries(await open()));

  chatReservationsConformance('PostgresChatReservations', async () => {
    const { metadata, pool } = await openPostgres();
    const accountIds = ['100000000000000001', '100000000000000002'] as const;
    await metadata.atomically(async (tx) => {
      for (const id of accountIds) await tx.accounts.add({ id, name: 'test', plan: 'pro', createdAt: tx.now });
    });
    const reservations = new PostgresChatReservations(stateDatabase(pool), owner, metadata);
    return { reservations, metadata, accountIds };
  });
});
