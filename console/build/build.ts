/**
 * `npm run console`: builds the console in `dist/console`.
 *
 * - `--whole` fails when development dependencies are missing. `npm pack` uses it.
 * - `--if-stale` does nothing while the console is newer than its sources. `npm start` uses it.
 */
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { ensureModules } from '#openapi/build/modules.ts';
import { compressAll } from './compress.ts';
import { inputsOf } from './inputs.ts';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'dist/console');
/** Describes the inputs that the console was built from. */
const madeFrom = 'made-from.txt';

/** Builds the console in a folder and replaces the old one, so that a server never serves half of it. */
export async function buildConsole(folder: string = built): Promise<void> {
  const { bundle } = await import('./bundle.ts');
  const inputs = await inputsOf(root);
  await ensureModules();
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await bundle(root, fresh);
    await copyFile(join(root, 'docs/cubby.svg'), join(fresh, 'cubby.svg'));
    await compressAll(fresh);
    await writeFile(join(fresh, madeFrom), inputs);
    // mkdtemp allows only the owner, but other users may serve these files.
    await chmod(fresh, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Returns whether the console matches the current sources. */
export async function isConsoleFresh(folder: string = built): Promise<boolean> {
  const kept = await readFile(join(folder, madeFrom), 'utf8').catch(() => undefined);
  return kept !== undefined && kept === (await inputsOf(root));
}

/** Returns the packages that the build needs and that are not installed. */
function missingPackages(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return ['vite', 'preact', '@preact/signals', 'uplot', 'uqr'].filter((name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
}

async function main(): Promise<void> {
  const shown = relative(process.cwd(), built) || '.';
  const isForStart = process.argv.includes('--if-stale');
  if (isForStart && (await isConsoleFresh())) return;
  const missing = missingPackages();
  if (missing.length > 0) {
    // The server also works without its console.
    if (isForStart) return;
    console.error(
      `The console needs development dependencies that are not installed: ${missing.join(', ')}. Run npm ci ` +
        'without --omit=dev, then try again.',
    );
    process.exitCode = 1;
    return;
  }
  try {
    if (isForStart) console.log(`Building the console in ${shown}, which is missing or older than its sources …`);
    await buildConsole();
    if (!isForStart) console.log(`The console is in ${shown}. A server shows it at /console.`);
  } catch (error) {
    if (!isForStart) throw error;
    console.log(`The console could not be built: ${(error as Error).message}. The server runs without it.`);
  }
}

if (import.meta.main) await main();
