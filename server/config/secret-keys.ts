import { secretOfFile } from './secret-file.ts';
import type { Reader } from './values.ts';

/** Characters that a key of the operator has at least. */
const minKeyLength = 32;

/** Variables that name a file with a key, instead of the key itself. */
export const secretKeyFileVariables: readonly string[] = ['CUBBY_MASTER_KEY_FILE', 'CUBBY_KEY_ENCRYPTION_KEY_FILE'];

/** The variable with the operator's own master key. */
type MasterKeySource = 'CUBBY_MASTER_KEY' | 'CUBBY_MASTER_KEY_FILE';

/** The keys that the operator keeps. */
export interface SecretKeys {
  /** The operator's own master key; undefined: the key in the data folder is used. */
  readonly masterKey: string | undefined;
  /** The variable with that key, for messages. */
  readonly masterKeySource: MasterKeySource | undefined;
  /** The key that the bytes of files are encrypted under; undefined: they are not encrypted. */
  readonly keyEncryptionKey: string | undefined;
}

/** Reads the keys from their variables, or from the files that those name. */
export function secretKeys(reader: Reader): SecretKeys {
  const masterKey = secretKey(reader, 'CUBBY_MASTER_KEY', 'master key');
  const name = 'CUBBY_KEY_ENCRYPTION_KEY';
  const keyEncryptionKey = secretKey(reader, name, 'key-encryption key');
  if (keyEncryptionKey !== undefined && keyEncryptionKey === masterKey)
    reader.refuse(
      name,
      'The key-encryption key and the master key are the same. A backup may hold the master key, and then it ' +
        'would hold the key to its own files. Make another one: "openssl rand -hex 32".',
    );
  const sources = ['CUBBY_MASTER_KEY_FILE', 'CUBBY_MASTER_KEY'] as const;
  const masterKeySource = sources.find((one) => reader.text(one) !== undefined);
  return { masterKey, masterKeySource, keyEncryptionKey };
}

/** Returns why a text cannot be a key, as a sentence; undefined if it can. */
export function problemOfKey(key: string, label: string): string | undefined {
  if (key.length >= minKeyLength) return undefined;
  return (
    `The ${label} has ${key.length} characters, but must have at least ${minKeyLength}. "openssl rand -hex 32" ` +
    'makes a good one.'
  );
}

function secretKey(reader: Reader, name: string, label: string): string | undefined {
  const inline = reader.text(name);
  const file = reader.text(`${name}_FILE`);
  if (inline !== undefined && file !== undefined)
    reader.refuse(name, `${name} and ${name}_FILE are both set. Keep one of them.`);
  const key = file === undefined ? inline : secretOfFile(reader, `${name}_FILE`, file, name);
  const problem = key === undefined ? undefined : problemOfKey(key, label);
  if (problem !== undefined) reader.refuse(name, problem);
  reader.hide(name, key);
  return key;
}
