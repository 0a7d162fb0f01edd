import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the version of Cubby, from its package.json. */
export function ownVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  );
  return version;
}
