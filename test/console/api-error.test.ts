import { describe, expect, it } from 'vitest';

import { errorFrom } from '#console/app/api-error.ts';

const refused = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

describe('errorFrom()', () => {
  it.each([
    ['the envelope', { status: 'error', code: 'OBJECT_NOT_FOUND', message: 'Gone.' }, 'OBJECT_NOT_FOUND', 'Gone.'],
    ['the AI gateway', { error: { code: 'access_denied', type: 'x', message: 'No.' } }, 'access_denied', 'No.'],
    ['messages', { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }, 'overloaded_error', 'Busy.'],
    ['OAuth', { error: 'slow_down', error_description: 'Wait.' }, 'slow_down', 'Wait.'],
    ['a proxy', '<html>', 'UNKNOWN', 'The server answered 400.'],
  ])('reads the form of %s', (_name, body, code, message) => {
    expect(errorFrom(refused(400), body)).toMatchObject({ status: 400, code, message });
  });

  it('reads how long to wait', () => {
    const body = { status: 'error', code: 'RATE_LIMITED', message: 'Slow down.' };
    expect(errorFrom(refused(429, { 'Retry-After': '12' }), body).retryAfterSeconds).toBe(12);
  });

  it('is NETWORK without a response', () => {
    expect(errorFrom(undefined, new TypeError('Failed to fetch'))).toMatchObject({ status: 0, code: 'NETWORK' });
  });
});
