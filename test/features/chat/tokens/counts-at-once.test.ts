import { expect, it } from 'vitest';

import { CountsAtOnce, maxCountsAtOnce } from '#server/features/chat/tokens/counts-at-once.ts';

it('runs some counts of an account at once, rejects further ones, and takes them when others have ended', async () => {
  const counts = new CountsAtOnce();
  const ends = Array.from({ length: maxCountsAtOnce }, () => Promise.withResolvers<number>());
  const running = ends.map(({ promise }) => counts.run('a', () => promise));
  const refused = { code: 'concurrent_limit_reached', retryAfterSeconds: 1 };
  await expect(counts.run('a', async () => 1)).rejects.toMatchObject(refused);
  expect(await counts.run('b', async () => 2)).toBe(2);
  ends[0]!.reject(new Error('no thread'));
  await expect(running[0]).rejects.toThrow('no thread');
  expect(await counts.run('a', async () => 3)).toBe(3);
  for (const { resolve } of ends) resolve(4);
  await Promise.all(running.slice(1));
  expect(await counts.run('a', async () => 5)).toBe(5);
});
