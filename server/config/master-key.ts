import { readFileSync } from 'node:fs';

import type { Reader } from './values.ts';

export const minMasterKeyLength = 32;

/** The variable with the operator's own master key. */
export type MasterKeySource = 'CUBBY_MASTER_KEY' | 'CUBBY_MASTER_KEY_FILE';

/** Returns the variable with the master key; undefined if the key is in the data folder. */
export function masterKeySource(reader: Reader): MasterKeySource | undefined {
  return (['CUBBY_MASTER_KEY_FILE', 'CUBBY_MASTER_KEY'] as const).find((name) => reader.text(name) !== undefined);
}

/** Reads the operator's own master key from the variable or a file. */
export function masterKey(reader: Reader): string | undefined {
  const inline = reader.text('CUBBY_MASTER_KEY');
  const file = reader.text('CUBBY_MASTER_KEY_FILE');
  if (inline !== undefined && file !== undefined)
    reader.refuse('CUBBY_MASTER_KEY', 'CUBBY_MASTER_KEY and CUBBY_MASTER_KEY_FILE are both set. Keep one of them.');
  const key = file === undefined ? inline : fileText(reader, file);
  if (key !== undefined && key.length < minMasterKeyLength) {
    reader.refuse(
      'CUBBY_MASTER_KEY',
      `The master key has ${key.length} characters, but must have at least ${minMasterKeyLength}. ` +
        '"openssl rand -hex 32" makes a good one.',
    );
  }
  return key;
}

/** Shows neither the path nor the system's message, because the path may be the key itself, given by mistake. */
function fileText(reader: Reader, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    reader.refuse(
      'CUBBY_MASTER_KEY',
      `CUBBY_MASTER_KEY_FILE must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`,
    );
    return undefined;
  }
}
