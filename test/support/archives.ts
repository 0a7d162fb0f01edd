import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { programEnv } from './command.ts';
import { needPrograms } from './need-programs.ts';
import { programPath, type ProgramName } from './programs.ts';

const exec = promisify(execFile);

/** Runs a program about an archive, in UTC and with UTF-8. Returns what it prints, and throws if it fails. Skips
 * the test if it is missing. */
export async function tool(name: ProgramName, ...args: readonly string[]): Promise<string> {
  needPrograms(name);
  const env = { ...programEnv, PATH: programPath, TZ: 'UTC', LC_ALL: 'C.UTF-8' };
  return (await exec(name, args, { env, maxBuffer: 256 * 1024 * 1024 })).stdout;
}

/** Runs `work` with the path of a new file that `fill` has written. */
export async function withFile<T>(
  fill: (path: string) => Promise<void>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-archive-test-'));
  try {
    const path = join(folder, 'archive.zip');
    await fill(path);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const readAll = `
import base64, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[name, base64.b64encode(archive.read(name)).decode()] for name in archive.namelist()]))`;

/** Returns the files of an archive by their paths, as Python reads them. */
export function unpacked(archive: Uint8Array): Promise<Map<string, Buffer>> {
  return withFile(
    (path) => writeFile(path, archive),
    async (path) => {
      const files = JSON.parse(await tool('python3', '-c', readAll, path)) as Array<[string, string]>;
      return new Map(files.map(([name, content]) => [name, Buffer.from(content, 'base64')]));
    },
  );
}
