import { ConnectionLost } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';
import type { Session } from './session.ts';

/** Runs `work` in a READ COMMITTED transaction, which is undone when `work` throws. */
export function inTransaction<T>(pool: PostgresPool, work: (session: Session) => Promise<T>): Promise<T> {
  return pool.withSession(async (session) => {
    // The first statement is sent behind it at once.
    const begun = session.command('BEGIN ISOLATION LEVEL READ COMMITTED');
    begun.catch(() => {});
    try {
      const result = await work(session);
      await begun;
      const { command } = await session.commit();
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back: a statement failed, and the work went on.');
      return result;
    } catch (error) {
      // Nothing would come back over a lost connection either.
      if (error instanceof ConnectionLost) session.destroy();
      else await session.command('ROLLBACK').catch(() => session.destroy());
      throw error;
    }
  });
}
