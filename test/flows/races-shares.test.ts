import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { maxActiveShares } from '#server/features/shares/limits.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { createShare, openLink, remainingOf, shareFile, shareObject, storedShare } from '#test/support/shares.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 3;
const parallel = 64;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

/** Runs `parallel` calls at once. */
function atOnce<T>(one: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: parallel }, (_, index) => one(index)));
}

describe(
  `${parallel} openings of a link with three downloads at once (${rounds} rounds)`,
  { timeout: 60_000 + rounds * 5_000 },
  () => {
    it.each([
      ['of the whole file', () => ({}), 3000],
      ['by different clients', (index: number) => ({ 'User-Agent': `client/${index}` }), 3000],
      ['of a file in the blob store', () => ({}), 300_000],
    ] as const)('%s count as three downloads', async (_, headersOf, sizeBytes) => {
      const bytes = someBytes(sizeBytes);
      const file = (
        await upload(server, account, { bytes, query: { private: 'true', name: `race${sizeBytes}` } })
      ).json().response.id;
      for (let round = 0; round < rounds; round++) {
        const share = await shareObject(server, account, file, { max_downloads: 3 });
        const answers = await atOnce((index) => openLink(server, share, headersOf(index)));
        const served = answers.filter(({ status }) => status < 300);
        expect(served).toHaveLength(3);
        for (const { body } of served) expect(body.equals(bytes.subarray(sizeBytes - body.length))).toBe(true);
        expect(new Set(answers.filter((one) => !served.includes(one)).map((one) => one.json().code))).toEqual(
          new Set(['SHARE_EXHAUSTED']),
        );
        expect(await remainingOf(server, account, share)).toBe(0);
      }
    });

    it('of a public file get three redirects', async () => {
      const share = await shareFile(server, account, {
        file: { query: { private: 'false' } },
        body: { max_downloads: 3 },
      });
      const answers = await atOnce(() => openLink(server, share));
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(3);
    });

    it.each([
      ['with a range of the whole file', 'bytes=0-', 3000],
      ['with a range that starts in the middle', 'bytes=1-', 3000],
      ['with a range of half the file', 'bytes=0-1499', 1500],
    ] as const)('%s get as many bytes as six files', async (_, range, lengthBytes) => {
      const sizeBytes = 3000;
      const file = (
        await upload(server, account, { bytes: someBytes(sizeBytes), query: { private: 'true', name: 'ranges' } })
      ).json().response.id;
      for (let round = 0; round < rounds; round++) {
        const share = await shareObject(server, account, file, { max_downloads: 3 });
        const answers = await atOnce(() => openLink(server, share, { Range: range }));
        expect(answers.filter(({ status }) => status === 206)).toHaveLength((6 * sizeBytes) / lengthBytes);
        expect(await remainingOf(server, account, share)).toBe(0);
      }
    });
  },
);

describe('parallel creations', () => {
  it(`make at most ${maxActiveShares} active links, without ended ones and those of deleted files`, async () => {
    const own = await server.account();
    const object = (await upload(server, own, { query: { private: 'true' } })).json().response.id;
    const doomed = (await upload(server, own, { query: { private: 'true', name: 'doomed' } })).json().response.id;
    const { metadata } = server.running.app.stores;
    const template = (await storedShare(server, await shareObject(server, own, object)))!;
    const other = (await storedShare(server, await shareObject(server, own, doomed)))!;
    const spent = { maxDownloads: 1, remainingDownloads: 0 };
    await metadata.atomically(async (tx) => {
      for (let at = 0; at < maxActiveShares - 12; at++)
        await tx.shares.add({ ...template, idHash: `active-${own.id}-${at}` });
      for (let at = 0; at < 5; at++) await tx.shares.add({ ...template, ...spent, idHash: `spent-${own.id}-${at}` });
      for (let at = 0; at < 9; at++) await tx.shares.add({ ...other, idHash: `doomed-${own.id}-${at}` });
    });
    const statuses = async () => (await atOnce(() => createShare(server, own, { object }))).map(({ status }) => status);
    // One link of each file was made over HTTP, so 988 + 1 + 10 exist.
    expect((await statuses()).filter((status) => status === 201)).toHaveLength(1);
    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: own.credential,
      body: JSON.stringify({ object: doomed }),
    });
    const now = await statuses();
    expect(now.filter((status) => status === 201)).toHaveLength(10);
    expect(new Set(now)).toEqual(new Set([201, 409]));
  });
});
