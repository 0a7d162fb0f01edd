import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { folder } from './files.mjs';

/**
 * Gives each operation of another host than the API's its own `servers`, those of `servers/<x-door of its path>.yaml`.
 * They stand at the operation, where every generator of clients looks for them.
 */
export function expandServers() {
  return {
    PathItem: {
      Operation: {
        enter(operation, _ctx, { PathItem: path }) {
          const door = path['x-door'];
          if (door) operation.servers ??= parse(readFileSync(join(folder, `servers/${door}.yaml`), 'utf8'));
        },
      },
    },
  };
}
