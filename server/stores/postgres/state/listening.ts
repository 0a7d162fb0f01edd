import type { PostgresPool } from '../pool.ts';
import type { Notifications } from './slots.ts';

/**
 * Listens to a channel of the database with one connection of a pool, from the first call on. Others use the connection
 * for their statements too. After its end another one listens.
 */
export function listening(pool: PostgresPool, channel: string): Notifications {
  let hear: (payload: string) => void = () => {};
  let missed: () => void = () => {};
  let begun: Promise<void> | undefined;

  function begin(): Promise<void> {
    const opened = open();
    opened.catch(() => {
      if (begun === opened) begun = undefined;
    });
    return opened;
  }

  function open(): Promise<void> {
    return pool.withSession(async (session) => {
      await session.listen(channel, (payload) => hear(payload));
      session.atEnd(resume);
    });
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
