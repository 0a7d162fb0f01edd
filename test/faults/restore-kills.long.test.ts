import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { cubbyHere, cubbyOver, temporaryFolder } from '#test/cli/cubby.ts';
import { expectFiles } from '#test/cli/backup/restored.ts';
import { encryptionSettings } from '#test/support/chosen-store.ts';
import { programEnv } from '#test/support/command.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { injecting, noStrace } from './strace.ts';

const entry = join(import.meta.dirname, '../../server/cli/main.js');

/** Runs a command that is killed at its first write to one of the paths. Returns its signal, if it was killed. */
async function killedAtWrite(args: readonly string[], dataDir: string, paths: readonly string[]) {
  const trace = join(await temporaryFolder(), 'trace');
  const [strace, ...options] = injecting('write,pwrite64:signal=SIGKILL:when=1', paths, trace);
  const child = spawn(strace!, [...options, process.execPath, entry, ...args], {
    env: { ...programEnv, ...encryptionSettings, CUBBY_DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const [code, signal] = await once(child, 'close');
  return signal ?? code;
}

// A write that a kill cuts off must not be taken for the whole file by the restore that goes on.
describe.skipIf(noStrace)(`a restore that is killed${noStrace ? `: skipped, because ${noStrace}` : ''}`, () => {
  it.each([
    ['while it notes what it restores', ['cubby.db.restore.json', 'cubby.db.restore.json.tmp'], 'SIGKILL'],
    // Its draft has a name of its own, so the key's own name is never written to.
    ['while it stores the master key', ['master.key'], 0],
    ['while it stores the database', ['cubby.db.restoring'], 'SIGKILL'],
  ])('%s is finished by the next one', async (_when, names, ended) => {
    const server = await startTestServer();
    const account = await server.account();
    const bytes = someBytes(40_000);
    const { id } = (await upload(server, account, { bytes, query: { name: 'kept', private: 'true' } })).json().response;
    const target = join(await temporaryFolder(), 'backup');
    await cubbyHere(server.dataDir).json('backup', target, '--with-master-key');
    const dataDir = join(await temporaryFolder(), 'data');
    const paths = names.map((name) => join(dataDir, name));
    expect(await killedAtWrite(['restore', target], dataDir, paths)).toBe(ended);
    if (ended === 0) expect(existsSync(paths[0]!)).toBe(true);
    else expect(await cubbyOver(dataDir).json('restore', target)).toMatchObject({ missing_blobs: [] });
    await (await expectFiles(dataDir, account.credential, new Map([[id, sha256(bytes)]]))).stop();
  });
});
