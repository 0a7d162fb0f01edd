import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '#console/app/api-error.ts';
import { runBatch } from '#console/screens/files/batch.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const options = (run: (part: readonly string[]) => Promise<Array<{ name: string; code: string }>>) => ({
  size: 2,
  nameOf: (name: string) => name,
  run,
  onProgress: vi.fn(),
  signal: new AbortController().signal,
  sleep: vi.fn(async () => {}),
});

describe('runBatch()', () => {
  it('sends parts, says how far it is, and collects what failed', async () => {
    const given = options(async (part) => (part.includes('c') ? [{ name: 'c', code: 'OBJECT_NOT_FOUND' }] : []));
    expect(await runBatch(items, given)).toEqual({
      done: 4,
      failures: [{ name: 'c', code: 'OBJECT_NOT_FOUND' }],
      isCancelled: false,
    });
    expect(given.onProgress.mock.calls.map(([{ done }]) => done)).toEqual([0, 2, 4, 5]);
  });

  it('waits for a rate limit, and sends the same part again', async () => {
    const sent: string[] = [];
    let isLimited = true;
    const given = options(async (part) => {
      sent.push(part.join(''));
      if (isLimited && part.includes('c')) {
        isLimited = false;
        throw new ApiError(429, 'RATE_LIMITED', 'Slow down.', { retryAfterSeconds: 7 });
      }
      return [];
    });
    expect(await runBatch(items, given)).toMatchObject({ done: 5, failures: [] });
    expect(sent).toEqual(['ab', 'cd', 'cd', 'e']);
    expect(given.sleep).toHaveBeenCalledWith(7000, given.signal);
  });

  it('counts a request that fails for all of its items, and goes on', async () => {
    const given = options(async (part) => {
      if (part.includes('a')) throw new ApiError(0, 'NETWORK', 'Lost.');
      return [];
    });
    expect(await runBatch(items, given)).toMatchObject({
      done: 3,
      failures: [
        { name: 'a', code: 'NETWORK' },
        { name: 'b', code: 'NETWORK' },
      ],
    });
  });

  it('ends when it is cancelled, and throws when the session has ended', async () => {
    const control = new AbortController();
    const given = { ...options(async () => (control.abort(), [])), signal: control.signal };
    expect(await runBatch(items, given)).toEqual({ done: 2, failures: [], isCancelled: true });
    const ended = options(async () => {
      throw new ApiError(401, 'ACCESS_DENIED', 'Signed out.');
    });
    await expect(runBatch(items, ended)).rejects.toThrow('Signed out');
  });
});
