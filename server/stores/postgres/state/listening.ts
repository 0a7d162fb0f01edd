import type { PostgresPool } from '../pool.ts';
import type { Session } from '../session.ts';
import type { Notifications } from './slots.ts';

/**
 * Listens to a channel of the database with one connection of a pool, from the first call on. Others use the connection
 * for their statements too. After its end another one listens.
 */
export function listening(pool: PostgresPool, channel: string): Notifications {
  let hear: (payload: string) => void = () => {};
  let missed: () => void = () => {};
  let begun: Promise<Session> | undefined;

  function begin(): Promise<Session> {
    const opened = open();
    opened.catch(() => {
      if (begun === opened) begun = undefined;
    });
    return opened;
  }

  async function open(): Promise<Session> {
    const session = await pool.take();
    try {
      await session.listen(channel, (payload) => hear(payload));
    } catch (error) {
      pool.release(session, error);
      throw error;
    }
    session.atEnd(resume);
    pool.release(session);
    return session;
  }

  /** Those who wait have a deadline, so no further try is needed if this one fails. */
  function resume(): void {
    begun = begin();
    begun.then(
      () => missed(),
      () => {},
    );
  }

  return {
    async listen(onPayload, onMissed) {
      [hear, missed] = [onPayload, onMissed];
      await (begun ??= begin());
    },
  };
}
