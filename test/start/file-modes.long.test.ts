import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { runCubby, startProgram, temporaryFolder } from './program.ts';

/** Lists everything in a folder, including the folder, that users other than its owner may access: `path mode`. */
async function open(folder: string): Promise<string[]> {
  const names = ['', ...(await readdir(folder, { recursive: true }))];
  const modes = await Promise.all(
    names.map(async (name) => ({ name, mode: (await stat(join(folder, name))).mode & 0o777 })),
  );
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name, mode }) => `${name || '.'} ${mode.toString(8)}`);
}

/** Leaves out the files of blobs. Nobody else reaches them, because their folder is closed. */
async function inReach(folder: string): Promise<string[]> {
  return (await open(folder)).filter((line) => !line.startsWith('blobs/'));
}

/** Sets the modes that a copy without its modes has. */
async function openAll(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}

/** Returns a data folder of a server that has stored small and large files. */
async function usedFolder(): Promise<string> {
  const dataDir = await temporaryFolder();
  const server = await startTestServer({ dataDir });
  const account = await server.account();
  await upload(server, account, { bytes: someBytes(50_000) });
  await upload(server, account, { query: { name: 'small' } });
  await server.stop();
  return dataDir;
}

describe.skipIf(process.platform === 'win32')('the modes of the data folder', () => {
  it('are for its owner only, also while the server runs, in an existing folder with mode 755', async () => {
    const dataDir = await temporaryFolder();
    await chmod(dataDir, 0o755);
    const server = await startProgram({ dataDir, env: { CUBBY_LOG: 'info' } });
    const names = await readdir(dataDir);
    expect(names).toEqual(
      expect.arrayContaining(['blobs', 'cubby.db', 'cubby.db-shm', 'cubby.db-wal', 'master.key', 'server.lock']),
    );
    expect(await open(dataDir)).toEqual([]);
    await runCubby(['jobs', 'run', '--all'], { dataDir });
    expect(await open(dataDir)).toEqual([]);
    // SIGINT, because SIGTERM would wait a second for a load balancer.
    await server.stop('SIGINT');
    expect(await open(dataDir)).toEqual([]);
  });

  it('are corrected at a start, with a message', async () => {
    const dataDir = await usedFolder();
    await openAll(dataDir);
    const server = await startTestServer({ dataDir });
    expect(await inReach(dataDir)).toEqual([]);
    const told = server.log.filter(({ message }) => String(message).includes('open to other users'));
    expect(told).toContainEqual(expect.objectContaining({ level: 'warn', path: dataDir, was: '0755' }));
    expect(told).toContainEqual(
      expect.objectContaining({ level: 'warn', path: join(dataDir, 'cubby.db'), was: '0644' }),
    );
  });

  it('are corrected by a command that opens the stores, which says so on stderr', async () => {
    const dataDir = await usedFolder();
    await openAll(dataDir);
    const { code, stderr } = await runCubby(['account', 'list'], { dataDir });
    expect(code).toBe(0);
    expect(stderr).toContain('was open to other users of this machine');
    expect(await inReach(dataDir)).toEqual([]);
  });

  it('cause a refusal when the folder has other files and is open to others, and are not changed then', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'somebody-elses.txt'), 'text');
    await mkdir(join(dataDir, 'pictures'));
    await chmod(dataDir, 0o755);
    await expect(startTestServer({ dataDir })).rejects.toThrow(
      /^The data folder .* is open to other users.*\(mode 0755\).*not Cubby's \(.*\)\. Set .*_DATA_DIR.*chmod 700 .*$/,
    );
    expect((await readdir(dataDir)).sort()).toEqual(['pictures', 'somebody-elses.txt']);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
  });

  it("follow the operator's umask for files that a deploy builds", async () => {
    const source = await readFile(new URL('#server/features/deploys/commands/run.ts', import.meta.url), 'utf8');
    expect(source).toContain('operator.restoreUmask()');
  });
});
