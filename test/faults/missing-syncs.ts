import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { uploadFile } from './client.ts';
import { crashRounds } from './crash-rounds.ts';
import { readDataFolder } from './data-folder.ts';
import { ErrorScript } from './error-script.ts';
import { openLoopDisk } from './loop-disk.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { sabotage } from './strace.ts';

/* Power cuts of servers that forget to sync. They show that a power cut finds that. */

/** Cuts the power of a server that does not sync. Returns the number of broken promises. */
export async function lossesWithoutSyncs(): Promise<number> {
  const disk = await openLoopDisk();
  let server: SpawnedServer | undefined;
  try {
    const dataDir = join(disk.folder, 'data');
    server = await spawnServer({ dataDir });
    const works = await crashRounds(server);
    await server.stop();
    spawnSync('sync', ['-f', disk.folder]);
    server = await spawnServer({ dataDir, sync: false });
    const load = await works.load(server);
    await server.pause();
    await disk.cut();
    await server.kill();
    await load.ended;
    await disk.restore();
    server = await spawnServer({ dataDir });
    return (await works.check(server, { mayLeaveFiles: true })).length;
  } finally {
    await server?.kill();
    await disk.remove();
  }
}

/**
 * Cuts the power of a server whose syncs of folders do nothing, after an upload. Returns the contradictions in the
 * data.
 *
 * A sync of a growing log would store the names of blobs too. So the log is copied before, which makes it start again.
 */
export async function problemsWithoutFolderSyncs(): Promise<readonly string[]> {
  const disk = await openLoopDisk();
  let server: SpawnedServer | undefined;
  try {
    const dataDir = join(disk.folder, 'data');
    const env = { CUBBY_MIN_FREE_BYTES: String(16 * 1024 * 1024) };
    server = await spawnServer({ dataDir, env, idsFrom: 0 });
    const account = await server.account();
    await new ErrorScript(account, 'log').fill(server);
    const letters = [...'abcdefghijklmnopqrstuvwxyz234567'];
    const folders = letters.flatMap((first) => letters.map((second) => join(dataDir, 'blobs', first + second)));
    const skipped = await sabotage(server.pid, 'fsync:retval=0', folders);
    const { status } = await uploadFile(server, account, 'large', someBytes(300_000));
    expect(status).toBe(200);
    await server.pause();
    await disk.cut();
    await server.kill();
    expect(await skipped.end()).toBeGreaterThan(0);
    await disk.restore();
    return (await readDataFolder(dataDir)).problems;
  } finally {
    await server?.kill();
    await disk.remove();
  }
}
