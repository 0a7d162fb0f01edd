import { describe, expect, it, vi } from 'vitest';

import { answerError } from '#dist/modules/uploader/answer-error.js';
import { retryAfterMs } from '#dist/modules/uploader/retry-after.js';
import { defaultRetryPolicy, sharedBackoff, retrying, waitMs, type RetryPolicy } from '#dist/modules/uploader/retry.js';
import { UploadError, type UploadFailure } from '#dist/modules/uploader/upload-error.js';

const never = new AbortController().signal;
const failing = (failure: Partial<UploadFailure>) =>
  new UploadError({ code: 'NETWORK_ERROR', message: 'x', retryable: true, ...failure });
const quick: RetryPolicy = { ...defaultRetryPolicy, tries: 4, firstWaitMs: 2, longestWaitMs: 4 };

describe('retryAfterMs()', () => {
  const now = Date.parse('2026-04-21T09:30:00Z');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Tue, 21 Apr 2026 09:30:07 GMT', 7_000],
    ['Tue, 21 Apr 2026 09:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %j', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});

describe('answerError()', () => {
  const answer = (status: number, headers = {}) => new Response(null, { status, headers });
  it.each([408, 429, 500, 502, 503, 504])('marks status %i as retryable', (status) => {
    expect(answerError(answer(status), { status: 'error', code: 'RATE_LIMITED' })).toMatchObject({
      status,
      retryable: true,
    });
  });
  it.each([400, 401, 403, 404, 409, 413, 501, 507])('marks status %i as not retryable', (status) => {
    expect(answerError(answer(status), { status: 'error', code: 'INVALID_BODY' })).toMatchObject({
      status,
      retryable: false,
    });
  });
  it.each([
    ['a lasting status with Retry-After', 507, { 'Retry-After': '3' }, true],
    ['any other status with Retry-After', 409, { 'Retry-After': '3' }, true],
    ['a wait that cannot be read', 409, { 'Retry-After': 'soon' }, false],
    ['a limit that lasts until the day ends', 429, { 'Retry-After': '51600', 'X-Should-Retry': 'false' }, false],
    ['X-Should-Retry alone', 503, { 'X-Should-Retry': 'false' }, false],
  ])('lets the headers of the code decide before the status: %s', (_, status, headers, retryable) => {
    expect(answerError(answer(status, headers), { status: 'error', code: 'INVALID_BODY' }).retryable).toBe(retryable);
  });
  it('handles responses of other servers, and missing ones', () => {
    expect(answerError(answer(502, { 'Retry-After': '3' }), '<h1>')).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      retryable: true,
      retryAfterMs: 3000,
    });
    expect(answerError(answer(404), '<h1>')).toMatchObject({ code: 'UNEXPECTED_ANSWER', retryable: false });
    expect(answerError(undefined, new TypeError('fetch failed'))).toMatchObject({
      code: 'NETWORK_ERROR',
      status: undefined,
      retryable: true,
    });
    expect(answerError(answer(200), new TypeError('terminated'))).toMatchObject({
      code: 'NETWORK_ERROR',
      retryable: true,
    });
  });
});

describe('retrying()', () => {
  it('runs as often as the policy says, and no more', async () => {
    const run = vi.fn(() => Promise.reject(failing({})));
    await expect(retrying(run, { policy: quick, signal: never, backoff: sharedBackoff() })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    });
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('runs once when it fails for good, or when the wait is too long', async () => {
    for (const failure of [
      failing({ retryable: false }),
      new TypeError('a bug'),
      failing({ status: 429, retryAfterMs: 600_001 }),
    ]) {
      const run = vi.fn(() => Promise.reject(failure));
      await expect(retrying(run, { policy: quick, signal: never, backoff: sharedBackoff() })).rejects.toBe(failure);
      expect(run).toHaveBeenCalledTimes(1);
    }
  });

  it('waits for a rate limit more often than it may fail, but not for the limit of open uploads', async () => {
    let left = 9;
    const run = () =>
      left-- > 0
        ? Promise.reject(failing({ status: 429, code: 'RATE_LIMITED', retryAfterMs: 1 }))
        : Promise.resolve('done');
    expect(await retrying(run, { policy: quick, signal: never, backoff: sharedBackoff(), random: () => 0 })).toBe(
      'done',
    );
    const full = vi.fn(() => Promise.reject(failing({ status: 429, code: 'TOO_MANY_OPEN_UPLOADS', retryAfterMs: 1 })));
    await expect(retrying(full, { policy: quick, signal: never, backoff: sharedBackoff() })).rejects.toMatchObject({
      code: 'TOO_MANY_OPEN_UPLOADS',
    });
    expect(full).toHaveBeenCalledTimes(4);
  });

  it('makes all requests wait for the rate limit of one', async () => {
    const backoff = sharedBackoff();
    backoff.extend(80);
    backoff.extend(10);
    const startedAt = performance.now();
    await retrying(() => Promise.resolve(), { policy: quick, signal: never, backoff });
    expect(performance.now() - startedAt).toBeGreaterThan(75);
  });

  it('throws the reason as soon as the signal is aborted', async () => {
    const stop = new AbortController();
    const waiting = retrying(() => Promise.reject(failing({})), {
      policy: { ...quick, firstWaitMs: 60_000, longestWaitMs: 60_000 },
      signal: stop.signal,
      backoff: sharedBackoff(),
    });
    setTimeout(() => stop.abort('enough'), 10);
    await expect(waiting).rejects.toBe('enough');
  });
});

describe('waitMs()', () => {
  it('doubles up to the longest wait, with a random half', () => {
    const policy = { ...defaultRetryPolicy, firstWaitMs: 500, longestWaitMs: 3000 };
    expect([1, 2, 3, 4, 9].map((failures) => waitMs(policy, failures, () => 1))).toEqual([500, 1000, 2000, 3000, 3000]);
    expect(waitMs(policy, 1, () => 0)).toBe(250);
  });
});
