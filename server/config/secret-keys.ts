import { readFileSync } from 'node:fs';

import type { Reader } from './values.ts';

/** Characters that a key of the operator has at least. */
const minKeyLength = 32;

/** Variables that name a file with a key, instead of the key itself. */
export const secretKeyFileVariables: readonly string[] = ['CUBBY_MASTER_KEY_FILE', 'CUBBY_KEY_ENCRYPTION_KEY_FILE'];

/** The variable with the operator's own master key. */
export type MasterKeySource = 'CUBBY_MASTER_KEY' | 'CUBBY_MASTER_KEY_FILE';

/** Returns the variable with the master key; undefined if the key is in the data folder. */
export function masterKeySource(reader: Reader): MasterKeySource | undefined {
  return (['CUBBY_MASTER_KEY_FILE', 'CUBBY_MASTER_KEY'] as const).find((name) => reader.text(name) !== undefined);
}

/** Reads the operator's own master key from the variable or a file. */
export function masterKey(reader: Reader): string | undefined {
  return secretKey(reader, 'CUBBY_MASTER_KEY', 'master key');
}

/** Reads the key-encryption key from the variable or a file. */
export function keyEncryptionKey(reader: Reader, master: string | undefined): string | undefined {
  const name = 'CUBBY_KEY_ENCRYPTION_KEY';
  const key = secretKey(reader, name, 'key-encryption key');
  if (key !== undefined && key === master)
    reader.refuse(
      name,
      'The key-encryption key and the master key are the same. A backup may hold the master key, and then it would hold the key to its own files. Make another one: "openssl rand -hex 32".',
    );
  return key;
}

/** Returns in words why a text cannot be a key; undefined if it can. */
export function problemOfKey(key: string, words: string): string | undefined {
  if (key.length >= minKeyLength) return undefined;
  return `The ${words} has ${key.length} characters, but must have at least ${minKeyLength}. "openssl rand -hex 32" makes a good one.`;
}

function secretKey(reader: Reader, name: string, words: string): string | undefined {
  const inline = reader.text(name);
  const file = reader.text(`${name}_FILE`);
  if (inline !== undefined && file !== undefined)
    reader.refuse(name, `${name} and ${name}_FILE are both set. Keep one of them.`);
  const key = file === undefined ? inline : fileText(reader, name, file);
  const problem = key === undefined ? undefined : problemOfKey(key, words);
  if (problem !== undefined) reader.refuse(name, problem);
  return key;
}

/** Shows neither the path nor the system's message, because the path may be the key itself, given by mistake. */
function fileText(reader: Reader, name: string, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    reader.refuse(name, `${name}_FILE must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
    return undefined;
  }
}
