import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Whether the optional package is there. */
export const isLlamaInstalled = installed();

/** Why no model can be loaded here; `undefined` when one can. For `describe.skipIf` and the title of the suite. */
export const noLlama: string | undefined =
  isLlamaInstalled || (isLong && process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'the optional package node-llama-cpp is not installed; test:long fetches it on Linux x64';

function installed(): boolean {
  try {
    createRequire(import.meta.url).resolve('node-llama-cpp/package.json');
    return true;
  } catch (error) {
    // Packages may keep that file to themselves; then they are there.
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}

/**
 * A folder with the server's files beside the package, from npm where it is not installed. Nothing of it runs while it
 * is installed.
 */
export async function folderWithLlama(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-llama-'));
  await cp(join(root, 'server'), join(folder, 'server'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  if (isLlamaInstalled) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else {
    // Not beside the server's package.json: its own dependencies are not needed. The builds for graphics cards are
    // large, and left out.
    const names = ['node-llama-cpp@3.22.1', '@node-llama-cpp/linux-x64@3.22.1'];
    await promisify(execFile)(
      'npm',
      [
        'install',
        '--prefix',
        join(folder, 'server'),
        '--ignore-scripts',
        '--omit=optional',
        '--no-package-lock',
        ...names,
      ],
      { timeout: 240_000 },
    );
    // The nearest package.json tells what the files are.
    await cp(join(root, 'package.json'), join(folder, 'server/package.json'));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
