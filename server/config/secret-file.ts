import { closeSync, openSync, readSync } from 'node:fs';

import type { Reader } from './values.ts';

/** No key, password or certificate is longer. */
const maxBytes = 65_536;

/**
 * Returns the text of a file that a variable names, without white space around it. A pipe will do, an endless device
 * such as `/dev/zero` is refused. Neither the path nor the system's message is shown, because the path may be the
 * secret itself, given by mistake.
 *
 * @param setting whose value is refused
 */
export function secretOfFile(
  reader: Reader,
  variable: string,
  path: string,
  setting: string = variable,
): string | undefined {
  try {
    const text = readSmallText(path);
    if (text !== undefined) return text.trim();
    reader.refuse(setting, `${variable} must name a file of at most 64 KiB.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    reader.refuse(setting, `${variable} must name a file that can be read (${code}).`);
  }
  return undefined;
}

/** Returns the text of a file of at most 64 KiB, or `undefined` if it is longer. @throws if it cannot be read */
export function readSmallText(path: string): string | undefined {
  const bytes = Buffer.alloc(maxBytes + 1);
  const file = openSync(path, 'r');
  try {
    let sizeBytes = 0;
    while (sizeBytes < bytes.length) {
      const readBytes = readSync(file, bytes, sizeBytes, bytes.length - sizeBytes, null);
      if (readBytes === 0) return bytes.toString('utf8', 0, sizeBytes);
      sizeBytes += readBytes;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
