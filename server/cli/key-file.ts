import { readFile } from 'node:fs/promises';

import { problemOfKey } from '#server/config/secret-keys.ts';
import { Failure } from './operator.ts';

/**
 * Reads the operator's new key from the file of `--new-key-file`. Its errors show no path, because that may be the key
 * itself, given by mistake.
 *
 * @throws {Failure}
 */
export async function readKeyFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`The file of the new key cannot be read (${error.code}). Look at --new-key-file.`);
  });
  const key = text.trim();
  const problem = problemOfKey(key, 'new key');
  if (problem !== undefined) throw new Failure(problem);
  return key;
}
