import type { TestAnswer } from '#test/support/server.ts';
import type { PairContext } from './provocation.ts';

type Limited = Pick<PairContext, 'limited'>;

const head = '--held\r\nContent-Disposition: form-data; name="file"; filename="held.png"\r\n\r\nbytes';
const headers = { 'Content-Type': 'multipart/form-data; boundary=held' };

/** A form whose end does not come. */
const endlessForm = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(head)) });

/** Sends an upload that stays under way until the signal. */
export function heldUpload(context: Limited, credential: string, signal: AbortSignal): Promise<TestAnswer> {
  return heldForm(context, { path: '/v1/objects?name=held', credential }, signal);
}

/** Sends a form that stays under way until the signal. */
export function heldForm(
  { limited }: Limited,
  { path, ...to }: { readonly path: string; readonly door?: 'files'; readonly credential?: string },
  signal: AbortSignal,
): Promise<TestAnswer> {
  return limited.send(path, { ...to, method: 'POST', headers, body: endlessForm(), signal });
}

/**
 * Asks while as many bodies as may run at once are under way.
 *
 * @param limit of the bodies
 * @param hold sends a body whose end does not come
 */
export async function whileTaken(
  limit: number,
  hold: (signal: AbortSignal) => Promise<TestAnswer>,
  ask: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const over = new AbortController();
  const held = Array.from({ length: limit + 1 }, () => hold(over.signal));
  // The others wait for the rest of their bytes, so one is answered.
  await Promise.race(held);
  try {
    return await ask();
  } finally {
    over.abort();
    await Promise.allSettled(held);
  }
}
