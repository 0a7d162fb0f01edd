import type { TestAnswer } from '#test/support/server.ts';
import type { StoreFaults } from './store-faults.ts';

/**
 * Sends requests that take the same upload from each other, and returns the response of one that is told so. Each has
 * the upload for a while, so that others come.
 *
 * @param find what looks the upload up
 */
export async function busy(
  faults: StoreFaults,
  ask: () => Promise<TestAnswer>,
  find: 'chunkedUploads.find' | 'fileRequests.findUpload' = 'chunkedUploads.find',
): Promise<TestAnswer> {
  const together = () => Promise.all(Array.from({ length: 4 }, ask));
  // A request finds the upload before its turn. Some find it again in their turn, and some write at once.
  const answers = await faults.slow(find, 200, () => faults.slow('atomically', 60, together));
  return answers.find(({ status }) => status === 423) ?? answers[0]!;
}
