import { setTimeout as sleep } from 'node:timers/promises';

/** A client waits so long for the clean-up after its failed upload. The rest of it goes on without the client. */
const brieflyMs = 1_000;

/** Waits until a clean-up has ended, or for a second. Its failure is nobody's, because a sweep finds what is left. */
export async function briefly(cleanUp: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  const ended = cleanUp.then(
    () => {},
    () => {},
  );
  await Promise.race([ended, sleep(brieflyMs, undefined, { signal: enough.signal, ref: false }).catch(() => {})]);
  enough.abort();
}
