import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noUseExitCode } from '#server/check-node.js';
import { messageOf } from '#server/cli/operator.ts';
import { cubbyHere } from '#test/cli/cubby.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { noMount } from '#test/support/mount.ts';
import { startTestServer } from '#test/support/server.ts';
import { failToStart, runCubby, temporaryFolder, type ProgramOptions } from './program.ts';

const isRoot = process.getuid?.() === 0;

/** The id of Debian's user "nobody". */
const nobody = 65_534;

let template: string | undefined;

/** Copies the data folder of a server that has stored a file. */
async function usedFolder(): Promise<string> {
  if (template === undefined) {
    const made = await mkdtemp(join(tmpdir(), 'cubby-used-'));
    const server = await startTestServer({ dataDir: made });
    await upload(server, await server.account(), { bytes: someBytes(50_000) });
    await server.stop();
    template = made;
  }
  const dataDir = await temporaryFolder();
  await cp(template, dataDir, { recursive: true });
  return dataDir;
}

afterAll(async () => {
  if (template !== undefined) await rm(template, { recursive: true });
});

/** Checks that server and command print the same line. The command exits with 1, and the server with another code. */
async function expectRefused(options: ProgramOptions, words: RegExp, serverCode = noUseExitCode): Promise<void> {
  const server = await failToStart(options);
  expect({ code: server.code, stdout: server.stdout }).toEqual({ code: serverCode, stdout: '' });
  expect(server.stderr).toMatch(words);
  const command = await runCubby(['account', 'list'], options);
  expect({ code: command.code, stdout: command.stdout }).toEqual({ code: 1, stdout: '' });
  expect(command.stderr).toMatch(/^error: /);
  expect(command.stderr.slice('error: '.length)).toMatch(words);
  for (const { stderr } of [server, command]) expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
}

/** Makes the same check within this process, for the message only. The checks above cover how a program exits. */
async function expectRefusedHere(dataDir: string, words: RegExp): Promise<void> {
  await expectNoStart(dataDir, words);
  const command = await cubbyHere(dataDir)('account', 'list');
  expect(command).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: .*\n$/) });
  expect(command.stderr.slice('error: '.length)).toMatch(words);
}

/** Checks that a server in this process does not start, with a reason of one line. */
async function expectNoStart(dataDir: string, words: RegExp): Promise<void> {
  const reason = await startTestServer({ dataDir }).then(() => 'it has started', messageOf);
  expect(reason).toMatch(words);
  expect(reason).not.toContain('\n');
}

/** Whether other users can run this user's programs. They cannot if the programs are in a private home folder. */
const othersCanRun =
  isRoot &&
  spawnSync(process.execPath, ['--version'], { uid: nobody }).status === 0 &&
  spawnSync('test', ['-r', import.meta.filename], { uid: nobody }).status === 0;

describe('a data folder that cannot be used', () => {
  /** The folder of compiled code for programs of another user, so that only the first program has to compile. */
  let compiled: string;
  beforeAll(async () => {
    compiled = await mkdtemp(join(tmpdir(), 'cubby-compiled-'));
    if (isRoot) await chown(compiled, nobody, nobody);
    return () => rm(compiled, { recursive: true });
  });
  const asNobody = () => ({ uid: nobody, env: { NODE_COMPILE_CACHE: compiled } });

  it('because its database is not a database', async () => {
    const dataDir = await usedFolder();
    await writeFile(join(dataDir, 'cubby.db'), 'this is no database '.repeat(5000), { mode: 0o600 });
    await expectRefused(
      { dataDir },
      /^The database .*cubby\.db is damaged \(SQLite: file is not a database\)\. Keep a copy.*restore the last backup/,
      1,
    );
  });

  it.each([
    ['has damaged pages', async (path: string) => overwrite(path, 4096, 5)],
    ['was cut off', async (path: string) => truncate(path, 40_960)],
  ])('because its database %s', async (_what, damage) => {
    const dataDir = await usedFolder();
    await damage(join(dataDir, 'cubby.db'));
    await expectRefusedHere(dataDir, /^The database .*cubby\.db is damaged \(.*\)\. Keep a copy/);
  });

  it('because one page in the middle of its database is damaged', async () => {
    const dataDir = await usedFolder();
    const { size } = await stat(join(dataDir, 'cubby.db'));
    await overwrite(join(dataDir, 'cubby.db'), Math.floor(size / 4096 / 2) * 4096, 1);
    await expectNoStart(dataDir, /^The database .* is damaged \(/);
  });

  it('because its database is missing and its files are not', async () => {
    const dataDir = await usedFolder();
    for (const name of await readdir(dataDir)) if (name.startsWith('cubby.db')) await rm(join(dataDir, name));
    await expectNoStart(
      dataDir,
      /^The database .*cubby\.db is missing or empty, but .*blobs holds files of one\. Restore/,
    );
  });

  const ofRoot = (mode: string) =>
    String.raw`cannot be read and written: it belongs to the user with the id 0 \(mode ${mode}\), ` +
    String.raw`and this is run by nobody\.`;

  it.runIf(othersCanRun)('because it belongs to another user', async () => {
    const dataDir = await usedFolder();
    await expectRefused(
      { dataDir, ...asNobody() },
      new RegExp(`^The data folder .* ${ofRoot('0700')}.*chown -R nobody`),
    );
  });

  it.runIf(othersCanRun)('because a file in it belongs to another user', async () => {
    const dataDir = await usedFolder();
    for (const name of ['', ...(await readdir(dataDir, { recursive: true }))])
      if (name !== 'cubby.db') await chown(join(dataDir, name), nobody, nobody);
    await expectRefused(
      { dataDir, ...asNobody() },
      new RegExp(
        String.raw`^The file .*cubby\.db ${ofRoot('0600')} ` +
          "Set CUBBY_DATA_DIR to another folder, run Cubby as the folder's owner, or give all of it to this user: " +
          String.raw`chown -R nobody /[^/]*/cubby-start-[^/]*\n$`,
      ),
    );
  });

  it.runIf(othersCanRun)('because it cannot be created', async () => {
    const parent = await temporaryFolder();
    await chmod(parent, 0o755);
    const { code, stderr } = await failToStart({ dataDir: join(parent, 'data'), ...asNobody() });
    expect({ code, stderr }).toEqual({
      code: noUseExitCode,
      stderr: expect.stringMatching(
        /^The data folder .*data cannot be made: this is run by nobody, who may not\..*\n$/,
      ),
    });
  });

  it('because its file system is mounted read-only', async (context) => {
    const missing = noMount();
    if (missing) return context.skip(missing);
    const dataDir = await usedFolder();
    expect(spawnSync('mount', ['--bind', dataDir, dataDir]).status).toBe(0);
    onTestFinished(() => expect(spawnSync('umount', [dataDir]).status).toBe(0));
    expect(spawnSync('mount', ['-o', 'remount,ro,bind', dataDir]).status).toBe(0);
    await expectRefusedHere(
      dataDir,
      /^The data folder .* cannot be read and written: the file system is mounted read-only\. Mount it for writing/,
    );
  });
});

describe('a port that is in use', () => {
  it('is reported with its variable, in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, stdout, stderr } = await failToStart({
      dataDir: await temporaryFolder(),
      env: { CUBBY_S3_PORT: String(port) },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(
        `^Port ${port} \\(s3\\) is taken by another program\\. Stop it, or set CUBBY_S3_PORT to another port\\..*\\n$`,
      ),
    );
  });
});

async function overwrite(path: string, from: number, pages: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(pages * 4096, 0x5a), 0, pages * 4096, from);
  await file.close();
}

describe('a new data folder', () => {
  it('is created with the folders above it', async () => {
    const dataDir = join(await temporaryFolder(), 'a/b');
    await cubbyHere(dataDir).json('account', 'create', '--name', 'first', '--plan', 'pro');
    expect(await readdir(dataDir)).toContain('cubby.db');
  });
});
