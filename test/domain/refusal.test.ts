import { describe, expect, it } from 'vitest';

import { Refusal } from '#server/domain/refusal.ts';

describe('Refusal', () => {
  it('has a code, and words only if they are given', () => {
    const refusal = new Refusal('OBJECT_NOT_FOUND');
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'OBJECT_NOT_FOUND', message: 'OBJECT_NOT_FOUND' });
    expect([refusal.ownMessage, refusal.prefix, refusal.retryAfterSeconds, refusal.cause]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('carries words, prefix and waiting time', () => {
    const refusal = new Refusal('RATE_LIMITED', { message: 'Wait.', prefix: 'photos/', retryAfterSeconds: 3 });
    expect(refusal).toMatchObject({ message: 'Wait.', ownMessage: 'Wait.', prefix: 'photos/', retryAfterSeconds: 3 });
  });
});
