import type { TestFileRequest } from '#test/support/file-requests.ts';
import type { TestAnswer } from '#test/support/server.ts';
import type { PairContext } from './provocation.ts';

const head = '--held\r\nContent-Disposition: form-data; name="file"; filename="held.png"\r\n\r\nbytes';
const headers = { 'Content-Type': 'multipart/form-data; boundary=held' };

/** A form whose end does not come. */
const endlessForm = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(head)) });

/** Sends an upload that stays under way until the signal. */
export function heldUpload(
  { limited }: Pick<PairContext, 'limited'>,
  credential: string,
  signal: AbortSignal,
): Promise<TestAnswer> {
  return limited.send('/v1/objects?name=held', { method: 'POST', credential, headers, body: endlessForm(), signal });
}

/** Sends a form to a file request that stays under way until the signal. */
export function heldForm(
  { limited }: Pick<PairContext, 'limited'>,
  { path }: Pick<TestFileRequest, 'path'>,
  signal: AbortSignal,
): Promise<TestAnswer> {
  return limited.send(path, { door: 'files', method: 'POST', headers, body: endlessForm(), signal });
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
