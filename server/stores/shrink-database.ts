import { statSync } from 'node:fs';

import type { Config } from '#server/config/config.ts';
import { databaseOf, explained } from './ready-folder.ts';
import { openWriter } from './sqlite/connection.ts';
import { dropUnusedBytes } from './sqlite/unused-bytes.ts';
import { sqliteEngine } from './sqlite-engine.ts';

/**
 * Rewrites a SQLite database without unused bytes, and empties its log. Returns its size before and after, in bytes. It
 * needs space for twice the database.
 *
 * @throws {ProcessLockTaken} while a server runs
 */
export async function shrinkDatabase(config: Config): Promise<{ beforeBytes: number; afterBytes: number }> {
  const path = databaseOf(config);
  return sqliteEngine(config).alone(async () => {
    const beforeBytes = statSync(path).size;
    try {
      using writer = openWriter(path);
      dropUnusedBytes(writer);
    } catch (error) {
      throw explained(config, error);
    }
    return { beforeBytes, afterBytes: statSync(path).size };
  });
}
