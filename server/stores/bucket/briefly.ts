import { setTimeout as sleep } from 'node:timers/promises';

/** How long a client waits for the clean-up after its failed upload. The rest goes on in the background. */
const brieflyMs = 1_000;

/** Waits until a clean-up has ended, or for a second. A failure is ignored, because a sweep finds what is left. */
export async function briefly(cleanUp: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  const ended = cleanUp.then(
    () => {},
    () => {},
  );
  await Promise.race([ended, sleep(brieflyMs, undefined, { signal: enough.signal, ref: false }).catch(() => {})]);
  enough.abort();
}
