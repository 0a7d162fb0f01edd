import { describe, expect, it } from 'vitest';

import { ConnectionLost, isRetryable, UnknownCommit } from '#server/stores/postgres/database-errors.ts';
import type { PostgresPool } from '#server/stores/postgres/pool.ts';
import { isCommitted } from '#server/stores/postgres/unknown-commit.ts';

const id = { text: '700', timeline: '00000001' };

/** A pool whose look-ups end as they are listed; the last one again and again. */
function poolWith(...outcomes: ReadonlyArray<'lost' | 'committed' | 'aborted'>): PostgresPool {
  let next = 0;
  const session = (status: string) => ({ timeline: id.timeline, query: async () => ({ rows: [[status]] }) });
  return {
    deadlineMs: 200,
    async withSession(work: (session: unknown) => Promise<unknown>) {
      const outcome = outcomes[Math.min(next++, outcomes.length - 1)]!;
      if (outcome === 'lost') throw new ConnectionLost(undefined);
      return work(session(outcome));
    },
  } as unknown as PostgresPool;
}

describe('isCommitted()', () => {
  it.each([
    ['committed', true],
    ['aborted', false],
  ] as const)('looks again when the connection of a look-up is lost (%s)', async (status, expected) => {
    expect(await isCommitted(poolWith('lost', 'lost', status), id)).toBe(expected);
  });

  it('never says that the transaction may run again', async () => {
    const error: unknown = await isCommitted(poolWith('lost'), id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnknownCommit);
    expect(isRetryable(error)).toBe(false);
  });
});
