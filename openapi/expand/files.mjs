import { dirname, join, relative as pathFrom, sep } from 'node:path';

/** The folder of the contract. */
export const folder = join(import.meta.dirname, '..');

/** A `$ref` from one file to another, with forward slashes on every system. */
export function relative(fromFile, toFile) {
  const path = pathFrom(dirname(fromFile), toFile).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
