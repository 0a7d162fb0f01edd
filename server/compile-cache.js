import { lstatSync, mkdirSync } from 'node:fs';
import { constants, enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

/*
 * JavaScript like the two entries that import it: for TypeScript Node would load its compiler before the cache is open.
 */

/**
 * Lets Node keep compiled modules in a folder of the package. Call it before anything large is imported. It never
 * throws: where the folder cannot be made, or others may write to it, programs only start slower.
 *
 * @param {string} [folder]
 * @returns {boolean} whether compiled modules are kept
 * @see DECISIONS, "A process loads only what it needs"
 */
export function keepCompiled(folder = join(import.meta.dirname, '../node_modules/.cache/cubby')) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs && enableCompileCache(folder).status !== constants.compileCacheStatus.FAILED;
  } catch {
    return false;
  }
}

const root = new URL('../', import.meta.url).href;

/**
 * Lets Node find the project's own files without a look at the disk. It would search the package and check the file for
 * each of some 4,000 imports, which takes a fifth of a start. Their specifiers are whole paths with an extension.
 */
export function resolveOwnFiles() {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.endsWith('.ts')) return next(specifier, context);
      // package.json maps each `#name/*` to `./name/*`.
      if (specifier.startsWith('#')) return ownFile(root + specifier.slice(1));
      return specifier.startsWith('.') ? ownFile(new URL(specifier, context.parentURL).href) : next(specifier, context);
    },
  });
}

/** @param {string} url */
function ownFile(url) {
  return { url, format: 'module-typescript', shortCircuit: true };
}
