import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { maxBundleFiles } from '#server/features/shares/limits.ts';
import { unpacked } from '#test/support/archives.ts';
import { upload } from '#test/support/files.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';
import { startTestServer, type TestAccount, type TestRequest, type TestServer } from '#test/support/server.ts';
import { browserAccept, createShare, openLink } from '#test/support/shares.ts';

/** The goal is 50 ms. Test machines are shared, and the client of this test is in the same process. */
const boundMs = 150;

let server: TestServer;
let account: TestAccount;
let path: string;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
  await upload(server, account, { query: { private: 'true', prefix: 'many' }, bytes: Buffer.alloc(600, 'x') });
  const { metadata } = server.running.app.stores;
  const [listed] = await metadata.read.objects.scan({ accountId: account.id, space: 'private', prefix: '', limit: 1 });
  const file = (await metadata.read.objects.find(listed!))!;
  // All have the same name, which is the most work.
  for (let at = 1; at < maxBundleFiles; at += 1000)
    await metadata.atomically(async (tx) => {
      for (let number = at; number < Math.min(at + 1000, maxBundleFiles); number++)
        await tx.objects.put({
          ...{ ...file, key: `many/${String(number % 10)}/${number}`, originalName: 'photo.png' },
          ...{ versionId: `v${number}`, generation: `g${number}` },
        });
    });
  ({ id } = (await createShare(server, account, { prefix: 'many' })).json().response);
  path = `/s/${id}`;
});
afterAll(() => server.stop());

describe(`a link to ${maxBundleFiles} files`, () => {
  it('has pages of 500 files', async () => {
    const page = async (number: string) =>
      (
        await server.send(`${path}?page=${number}`, { door: 'files', headers: { Accept: browserAccept } })
      ).body.toString();
    const first = await page('1');
    expect(first.match(/<li>/g)).toHaveLength(500);
    expect(first).toContain('Page 1 of 20');
    expect(first).toContain('href="?page=2"');
    expect(await page('20')).not.toContain('Next page');
    expect(await page('21')).toContain('Page 1 of 20');
  });

  it('lists all of them page by page', async () => {
    const names = new Set<string>();
    let cursor = '';
    do {
      const query = `id=${id}&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { credential } = account;
      const { response } = (await server.send(`/v1/shares/files?${query}`, { credential })).json();
      for (const { name } of response.files) names.add(name);
      expect(response.total).toBe(maxBundleFiles);
      cursor = response.continuationToken ?? '';
    } while (cursor !== '');
    expect(names.size).toBe(maxBundleFiles);
  });

  it('costs no walk over its folder for a HEAD, a revalidation or one range while nothing changes', async () => {
    const { metadata } = server.running.app.stores;
    const { etag } = Object.fromEntries((await openLink(server, { path })).headers);
    const asks: ReadonlyArray<readonly [what: string, status: number, request: TestRequest]> = [
      ['HEAD', 200, { method: 'HEAD' }],
      ['If-None-Match', 304, { headers: { 'If-None-Match': etag! } }],
      ['one range', 206, { headers: { Range: 'bytes=5000000-5000999' } }],
    ];
    const figures: string[] = [];
    const reads = vi.spyOn(metadata.read.bundles, 'filesIn');
    for (const [what, status, request] of asks) {
      const times = async (before: () => Promise<unknown>) => {
        const taken: number[] = [];
        for (let round = 0; round < 5; round++) {
          await before();
          const since = performance.now();
          expect((await server.send(path, { door: 'files', ...request })).status, what).toBe(status);
          taken.push(performance.now() - since);
        }
        return taken.sort((a, b) => a - b)[2]!.toFixed(1);
      };
      const unchanged = await times(async () => {});
      expect(reads, what).not.toHaveBeenCalled();
      const changed = await times(() =>
        metadata.atomically((tx) => tx.accounts.addUsage(account.id, { bytes: 0, objects: 0 })),
      );
      expect(reads.mock.calls.length, what).toBeGreaterThan(0);
      reads.mockClear();
      figures.push(`${what} ${unchanged} ms, after a change of the files ${changed} ms`);
    }
    reads.mockRestore();
    console.log(`An archive of ${maxBundleFiles} files: ${figures.join('; ')}.`);
  });

  it('gives an archive that unpacks to all of them, each under its own name', async () => {
    const answer = await openLink(server, { path });
    expect(answer.headers.get('content-length')).toBe(String(answer.body.length));
    const files = await unpacked(answer.body);
    expect(files.size).toBe(maxBundleFiles);
    expect(files.has('3/photo (1000).png')).toBe(true);
  });

  it.each([
    ['its page', () => openLink(server, { path }, { Accept: browserAccept })],
    ['the headers of its archive', () => openLink(server, { path }, {}, 'HEAD')],
    ['its archive', () => openLink(server, { path })],
    ['the end of its archive', () => openLink(server, { path }, { Range: 'bytes=-100000' })],
  ])('never holds the event loop for long: %s', async (_what, ask) => {
    const holdMs = await shortestHoldMs(ask);
    expect(holdMs).toBeLessThan(boundMs);
  });
});
