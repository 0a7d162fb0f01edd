import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that samples import, and their pins. */
export const pythonRequirements = join(import.meta.dirname, '../programs/python/requirements.txt');

/** Where they are installed: a folder for `PYTHONPATH`, with a name that Git and all our searches leave out. */
export const pythonFolder = join(import.meta.dirname, '../programs/python/node_modules');

export type PythonPackage = 'anthropic' | 'openai';

/**
 * Returns the reason why tests with these Python packages cannot run, or `undefined` if they can. It never throws: the
 * registry of Python may be out of reach where npm's and Debian's are not.
 */
export function noPythonPackage(...names: readonly PythonPackage[]): string | undefined {
  const absent = names.filter((name) => !existsSync(join(pythonFolder, name, '__init__.py')));
  return absent.length === 0
    ? undefined
    : `Python has no package ${absent.join(', ')} (npm run install:programs, where pip reaches its registry)`;
}
