import { setTimeout as sleep } from 'node:timers/promises';

import { ConnectionLost, sqlState, UnknownCommit } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';

/** The number of a transaction, and the history of the server that gave it. */
export interface TransactionId {
  readonly text: string;
  /** The timeline of the server's log, which changes when a standby is promoted. Undefined if it is not known. */
  readonly timeline: string | undefined;
}

const invalidParameterValue = '22023';

/** The first pause before another query, in ms. It doubles. */
const firstPauseMs = 20;

/**
 * Finds out whether a transaction was committed whose connection ended before the answer came. The server may still be
 * busy with it, for instance while it waits for a standby.
 *
 * @throws the pool's error, or one of its own, when nobody knows: the server that took the commit is gone, and the
 *   one in its place may have given the number to another transaction
 */
export async function isCommitted(pool: PostgresPool, { text, timeline }: TransactionId): Promise<boolean> {
  const giveUpAt = performance.now() + pool.deadlineMs;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const answer = await pool
      .withSession(
        async (session) => ({
          status: (await session.query('SELECT pg_xact_status($1::xid8)', [text])).rows[0]?.[0],
          timeline: session.timeline,
        }),
        giveUpAt - performance.now(),
        { isLookUp: true },
      )
      .catch((error: unknown) => {
        // A promoted standby may never have heard of it: "is in the future".
        if (sqlState(error) === invalidParameterValue) return { status: 'aborted', timeline: undefined };
        // It would look as if the transaction had left nothing, and might run again.
        if (error instanceof ConnectionLost) return { status: 'in progress', timeline: undefined };
        throw error;
      });
    const { status } = answer;
    if (status === 'aborted') return false;
    if (status === 'committed' && timeline !== undefined && answer.timeline === timeline) return true;
    if (status !== 'in progress' || performance.now() + pauseMs >= giveUpAt)
      throw new UnknownCommit(`Nobody knows whether transaction ${text} was committed.`);
    await sleep(pauseMs);
  }
}
