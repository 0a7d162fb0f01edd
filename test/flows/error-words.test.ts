import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { formWith, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const words = (answer: TestAnswer): string => answer.json().message;

describe('an error message contains', () => {
  it('the quota, the used part and the requested bytes', async () => {
    const { id: accountId, credential } = await server.account('pro');
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(accountId, 10_000));
    expect(
      (await server.send('/v1/objects?name=first', { method: 'POST', credential, body: formWith(someBytes(6000)) }))
        .status,
    ).toBe(200);

    const refused = await server.send('/v1/objects?name=second', {
      method: 'POST',
      credential,
      body: formWith(someBytes(5000)),
    });
    expect(refused.json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    // An account with 6000 of its 10000 bytes in use is not full.
    expect(words(refused)).toMatch(/^The account has no room for these bytes\. /);
    expect(words(refused)).toMatch(
      / Used: 6000 bytes\. Reserved by uploads: \d+\. Quota: 10000\. Asked for: 5\d{3}\.$/,
    );
    const chunked = await server.send('/v1/objects/chunked?name=third&filename=a.bin&size=9999', {
      method: 'POST',
      credential,
    });
    expect(words(chunked)).toContain('Used: 6000 bytes. Reserved by uploads: 0. Quota: 10000. Asked for: 9999.');
    const copied = await server.send('/v1/objects/copy', {
      method: 'POST',
      credential,
      body: JSON.stringify({ source: `pub/${accountId}/first.png`, destination: { name: 'copy' } }),
    });
    expect(words(copied)).toContain('Asked for: 6000.');
  });

  it('the rejected extension and its field', async () => {
    const { credential } = await server.account('pro');
    const start = (query: string) => server.send(`/v1/objects/chunked?name=a&${query}`, { method: 'POST', credential });
    expect(words(await start('filename=report.ve_ry'))).toContain('Got "ve_ry" from `filename` "report.ve_ry".');
    expect(words(await start('filename=setup.exe'))).toContain('Got "exe" from `filename` "setup.exe".');
    expect(words(await start('mime_type=application/x-msdos-program'))).toContain(
      'Got "exe" from `mime_type` "application/x-msdos-program".',
    );
  });

  it('the missing scope or the allowed prefixes of a key, and no part of a credential', async () => {
    const account = await server.account('pro');
    const key = (options: Parameters<TestServer['key']>[1]) => server.key(account, options);
    const reader = await key({ scopes: ['blob:read'] });
    expect(
      words(
        await server.send('/v1/objects?name=a', { method: 'POST', credential: reader, body: formWith(someBytes(600)) }),
      ),
    ).toMatch(/ It needs blob:write\.$/);
    const restricted = await key({ scopes: ['blob:read'], prefixes: ['photos', 'invoices'] });
    expect(words(await server.send('/v1/objects', { credential: restricted }))).toMatch(
      / This key reaches photos, invoices\.$/,
    );
    expect(words(await server.send('/v1/objects/info?object=x', { credential: reader }))).toMatch(/ Got "x"\.$/);
    expect(
      words(await server.send(`/v1/objects/info?object=pub/${account.id}/${reader}%00`, { credential: reader })),
    ).not.toContain(reader.slice(4, 12));
  });

  it('the size of a small file, the checksums that differ, and the error of a form', async () => {
    const { credential } = await server.account('pro');
    const post = (query: string, body: NonNullable<RequestInit['body']>) =>
      server.send(`/v1/objects?name=a${query}`, { method: 'POST', credential, body });
    expect(words(await post('', formWith(someBytes(100))))).toBe('A file takes at least 512 bytes. Got 100.');
    expect(words(await post(`&checksum_sha256=${'0'.repeat(64)}`, formWith(someBytes(600))))).toMatch(
      / Announced 0{64}, got [0-9a-f]{64}\.$/,
    );
    expect(words(await post('', 'x'))).toContain('The Content-Type is another one, or names no boundary.');
  });
});

it('the message of RATE_LIMITED contains its limit and its end', async () => {
  const limited = await startTestServer({ rateLimits: true });
  try {
    const { credential } = await limited.account('pro');
    let answer: TestAnswer;
    do answer = await limited.send('/v1/objects', { credential });
    while (answer.status === 200);
    expect(words(answer)).toMatch(/ The limit "list" takes 30 in 30 s\. It is over in \d+ s\.$/);
  } finally {
    await limited.stop();
  }
});
