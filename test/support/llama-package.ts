import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Whether the optional package is installed. */
export const isLlamaInstalled = installed();

/**
 * The reason why no model can be loaded on this machine, or `undefined` if one can. For `describe.skipIf` and the
 * suite's title.
 */
export const noLlama: string | undefined =
  isLlamaInstalled || (isLong && process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'the optional package node-llama-cpp is not installed; test:long fetches it on Linux x64';

function installed(): boolean {
  try {
    createRequire(import.meta.url).resolve('node-llama-cpp/package.json');
    return true;
  } catch (error) {
    // A package may hide that file. It is installed then.
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}

/**
 * Makes a folder with the server's files beside the package. If the package is not installed, it comes from npm,
 * without running any of its scripts.
 */
export async function folderWithLlama(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-llama-'));
  await cp(join(root, 'server'), join(folder, 'server'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  if (isLlamaInstalled) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else {
    // The package is not installed beside the server's package.json, because the server's own dependencies are not
    // needed. The builds for graphics cards are large, so they are left out.
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
    // Node finds the type of the files in the nearest package.json.
    await cp(join(root, 'package.json'), join(folder, 'server/package.json'));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
