import { describe, expect, it } from 'vitest';

import { submit } from '#test/support/guessing.ts';
import { startTestServer } from '#test/support/server.ts';
import { shareFile } from '#test/support/shares.ts';

const password = 'correct horse';

describe('passwords that wait to be checked', () => {
  it('are four of an address, and another address with the right one is served', async () => {
    const gate = Promise.withResolvers<void>();
    let isOpen = true;
    let hashed = 0;
    const server = await startTestServer({
      env: { CUBBY_TRUSTED_PROXIES: 'loopback' },
      scrypt: (real) => async (text, salt) => {
        if (!isOpen) await gate.promise;
        hashed++;
        return real(text, salt, { N: 1024, r: 8, p: 1 });
      },
    });
    const account = await server.account();
    const links = [
      await shareFile(server, account, { body: { password } }),
      await shareFile(server, account, { body: { password } }),
    ];
    isOpen = false;
    hashed = 0;
    const ofOne = Array.from({ length: 30 }, (_, at) => submit(server, links[at % 2]!.path, 'wrong', '192.0.2.1'));
    // Those that were rejected at once. Two have their turn, and four wait.
    const rejected: Array<Awaited<ReturnType<typeof submit>>> = [];
    for (const one of ofOne) void one.then((answer) => answer.status === 503 && rejected.push(answer));
    await expect.poll(() => rejected.length).toBe(24);
    expect(hashed).toBe(0);
    for (const { headers } of rejected) expect(headers.get('retry-after')).toBe('2');
    const honest = submit(server, links[0]!.path, password, '192.0.2.2');
    gate.resolve();
    expect((await honest).status).toBe(303);
    const statuses = (await Promise.all(ofOne)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(hashed).toBe(7);
  });
});
