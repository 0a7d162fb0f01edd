import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const hourMs = 3_600_000;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server?.stop());

async function history(credential: string, query = '') {
  return (await server.send(`/v1/account/usage${query}`, { credential })).json().response;
}

describe('the usage of past days', () => {
  it('has the mean of each day, weighted by time, also of days without a change', async () => {
    const account = await server.account();
    const read = (query = '') => history(account.credential, query);
    const day = (ago: number) => new Date(server.clock.now() - ago * 24 * hourMs).toISOString().slice(0, 10);
    server.clock.advance(24 * hourMs - (server.clock.now() % (24 * hourMs)));
    await upload(server, account, { bytes: someBytes(1000) });
    server.clock.advance(12 * hourMs);
    await upload(server, account, { bytes: someBytes(1000), query: { name: 'second' } });
    server.clock.advance(12 * hourMs + 24 * hourMs + 6 * hourMs);
    const { days } = await read(`?from=${day(2)}`);
    const measured = days.map(({ day: name, storage, objects }: any) => ({ day: name, storage, objects }));
    expect(measured).toEqual([
      { day: day(2), storage: 1500, objects: 1.5 },
      { day: day(1), storage: 2000, objects: 2 },
      { day: day(0), storage: 2000, objects: 2 },
    ]);
    expect(await read(`?from=${day(1)}&to=${day(1)}`)).toMatchObject({ from: day(1), to: day(1), days: [measured[1]] });
    // A change settles the same days, and alters none of them.
    await upload(server, account, { bytes: someBytes(1000), query: { name: 'third' } });
    expect((await read(`?from=${day(2)}`)).days).toMatchObject(measured);
  });

  it('is of one account only, and empty before the account was created', async () => {
    const [one, other] = [await server.account(), await server.account()];
    server.clock.advance(hourMs);
    await upload(server, one, { bytes: someBytes(1000) });
    server.clock.advance(hourMs);
    const { days } = await history(other.credential);
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ storage: 0, objects: 0 });
    expect((await history(one.credential)).days[0]).toMatchObject({ storage: 500, objects: 0.5 });
  });

  it('answers INVALID_TIME_RANGE to days in the wrong order and to more than 400', async () => {
    const { credential } = await server.account();
    for (const query of ['?from=2026-04-02&to=2026-04-01', '?from=2025-01-01&to=2026-04-01']) {
      const answer = await server.send(`/v1/account/usage${query}`, { credential });
      expect([answer.status, answer.json().code]).toEqual([400, 'INVALID_TIME_RANGE']);
    }
  });
});
