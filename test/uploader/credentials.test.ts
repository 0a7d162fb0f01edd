import { describe, expect, it, vi } from 'vitest';

import { credentialsFrom } from '#dist/modules/uploader/credentials.js';

describe('credentialsFrom()', () => {
  it('calls the function once for all requests, and once more for all that are refused', async () => {
    let number = 0;
    const give = vi.fn(async (_refused?: string) => `token-${++number}`);
    const credentials = credentialsFrom(give);
    expect(await Promise.all([credentials.current(), credentials.current()])).toEqual(['token-1', 'token-1']);
    expect(await Promise.all(Array.from({ length: 6 }, () => credentials.renew('token-1')))).toEqual(
      Array(6).fill('token-2'),
    );
    // A credential that is refused late already has a successor.
    expect(await credentials.renew('token-1')).toBe('token-2');
    expect(await credentials.current()).toBe('token-2');
    expect(give.mock.calls).toEqual([[undefined], ['token-1']]);
  });

  it('calls the function again after it failed', async () => {
    const give = vi.fn().mockRejectedValueOnce(new Error('503')).mockResolvedValue('token');
    const credentials = credentialsFrom(give);
    await expect(credentials.current()).rejects.toMatchObject({ code: 'NO_CREDENTIAL', retryable: true });
    expect(await credentials.current()).toBe('token');
  });

  it('takes the session of the page, whose token goes in a header of its own', async () => {
    const credentials = credentialsFrom({ csrfToken: 'token' });
    expect([credentials.header, credentials.canRenew, await credentials.current()]).toEqual([
      'X-Cubby-CSRF',
      false,
      'token',
    ]);
    expect(credentialsFrom('cbk_key').header).toBe('Authorization');
  });

  it('returns a fixed text as the only credential', async () => {
    const credentials = credentialsFrom('cbk_key');
    expect([credentials.canRenew, await credentials.current(), await credentials.renew('cbk_key')]).toEqual([
      false,
      'cbk_key',
      'cbk_key',
    ]);
  });
});
