import { describe, expect, it } from 'vitest';

import { chunking } from '#test/support/chunked.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { fileBlobs, sqliteRows } from '#test/support/stored.ts';
import { cubbyOver, temporaryFolder } from '../cubby.ts';
import { killedCommand } from './killed-command.ts';
import { startLoad, type Load } from './load.ts';
import { expectSameBlobs, expectSameRows } from './same-stores.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Checks that the files that clients were promised are there, and that their open uploads go on. */
async function expectPromises(server: TestServer, credential: string, load: Load): Promise<void> {
  for (const [id, hash] of load.files) {
    const link = await server.send(`/v1/objects/download?object=${encodeURIComponent(id)}`, { credential });
    expect(link.status, id).toBe(302);
    const { pathname, search } = new URL(link.headers.get('location')!);
    const file = await server.send(`${pathname}${search}`, { door: 'files' });
    expect(sha256(file.body), id).toBe(hash);
  }
  for (const id of load.deleted)
    expect((await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential })).status, id).toBe(
      404,
    );
  const chunked = chunking(() => server);
  for (const handle of load.open.keys()) {
    expect((await chunked.put({ credential }, handle, 2, someBytes(1000))).status).toBe(200);
    expect((await chunked.complete({ credential }, handle)).status).toBe(200);
  }
}

describe('cubby store migrate', { timeout: 120_000 }, () => {
  it('moves a data folder while clients write, is killed and goes on, and loses nothing', async () => {
    const server = await startTestServer();
    const target = await temporaryFolder();
    const account = await server.account('enterprise');
    const load = startLoad(server, account);
    await expect.poll(() => load.files.size, { timeout: 20_000 }).toBeGreaterThan(isLong ? 500 : 30);

    const cubby = cubbyOver(server.dataDir);
    const args = ['store', 'migrate', '--to', `file:${target}`];
    let kills = 0;
    for (let afterMs = 200; afterMs <= (isLong ? 3_000 : 900); afterMs += isLong ? 100 : 350)
      if (await killedCommand(args, { CUBBY_DATA_DIR: server.dataDir }, afterMs)) kills += 1;
    expect(kills).toBeGreaterThan(0);
    const before = load.done;
    const report = await cubby.json(...args);
    expect(report).toMatchObject({ damaged_blobs: [], was_done: false });
    expect(report.refused_ms).toBeLessThan(10_000);
    expect(load.done).toBeGreaterThan(before);
    await expect.poll(() => load.refused.length).toBeGreaterThan(0);
    await load.stop();

    const [ours, theirs] = [{ rows: sqliteRows(server.dataDir) }, { rows: sqliteRows(target) }];
    expect(await expectSameRows(ours, theirs)).toBeGreaterThan(100);
    expect(await expectSameBlobs(ours.rows, fileBlobs(server.dataDir), fileBlobs(target))).toBeGreaterThan(5);
    await ours.rows.close();
    await theirs.rows.close();
    // The old store is read, but takes nothing.
    expect((await upload(server, account)).json().code).toBe('UPLOAD_FAILED');
    await server.stop();
    const moved = await startTestServer({ dataDir: target });
    await expectPromises(moved, account.credential, load);
    expect((await upload(moved, account)).status).toBe(200);
  });
});
