import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { onTestFinished } from 'vitest';

import { unpackKind } from '#server/features/edge-errors/path-kind.ts';
import { writeFreshFolder } from '#test/support/fresh-folder.ts';
import { cubbyHere, temporaryFolder, type Cubby } from '#test/cli/cubby.ts';

/** A data folder with an application, and logs to count for it. */
export interface Logs {
  readonly dataDir: string;
  readonly cubby: Cubby;
  /** The owner of the applications. */
  readonly account: string;
  readonly appId: string;
  /** `edge-log import --app ID` */
  readonly args: readonly [string, string, string, string];
  /** Makes another application and returns its id. */
  app(): Promise<string>;
  /** Writes a log and returns its path. */
  file(content: string | Uint8Array): Promise<string>;
  /** Errors as they are stored, to the second: `502 GET /a 04-21T09:30:00`. */
  counted(appId?: string): Promise<Record<string, number>>;
  total(appId?: string): Promise<number>;
}

/** @param whenFinished `onTestFinished` of the test's context, for tests that run at the same time */
export async function openLogs(whenFinished?: typeof onTestFinished): Promise<Logs> {
  const [dataDir, folder] = [await temporaryFolder(whenFinished), await temporaryFolder(whenFinished)];
  writeFreshFolder(dataDir);
  const cubby = cubbyHere(dataDir);
  const { account_id: accountId } = await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
  const app = async () => (await cubby.json('app', 'create', '--account', accountId, '--name', 'web')).id as string;
  const first = await app();
  let files = 0;
  const rows = async (appId: string) => {
    const db = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true, timeout: 5_000 });
    try {
      const paths = new Map(
        db
          .prepare('SELECT path_id, path FROM edge_paths')
          .all()
          .map(({ path_id: id, path }) => [Number(id), String(path)]),
      );
      const seconds = db
        .prepare(
          'SELECT at, counts FROM edge_path_errors WHERE resolution = 0 AND app_no = (SELECT app_no FROM ' +
            'edge_apps WHERE app_id = ?)',
        )
        .all(appId);
      return seconds.flatMap(({ at, counts }) => {
        const pairs = new Float64Array((counts as Uint8Array).slice().buffer);
        return Array.from({ length: pairs.length / 2 }, (_, index) => {
          const { pathId, ...kind } = unpackKind(pairs[2 * index]!);
          return { at: Number(at), ...kind, path: paths.get(pathId)!, count: pairs[2 * index + 1]! };
        });
      });
    } finally {
      db.close();
    }
  };
  return {
    dataDir,
    cubby,
    account: accountId,
    appId: first,
    args: ['edge-log', 'import', '--app', first],
    app,
    async file(content) {
      const path = join(folder, `access-${++files}.log`);
      await writeFile(path, content);
      return path;
    },
    async counted(appId = first) {
      const counts: Record<string, number> = {};
      for (const { at, status, method, path, count } of await rows(appId)) {
        const key = `${status} ${method} ${path} ${new Date(at * 1000).toISOString().slice(5, 19)}`;
        counts[key] = (counts[key] ?? 0) + count;
      }
      return counts;
    },
    total: async (appId = first) => (await rows(appId)).reduce((sum, { count }) => sum + count, 0),
  };
}
