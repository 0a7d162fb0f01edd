import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { isOnPostgres, storedRows } from '#test/support/chosen-store.ts';
import { chunkedWork } from './crash-chunked.ts';
import { pushWork } from './crash-pushes.ts';
import { serialWork } from './crash-serial.ts';
import { shareWork } from './crash-shares.ts';
import { tokenWork } from './crash-tokens.ts';
import { uploadWork } from './crash-uploads.ts';
import { allEnded, type CrashWork } from './crash-work.ts';
import { readDataFolder } from './data-folder.ts';
import type { SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Work of all kinds over one data folder, whose servers end suddenly one after another. */
export interface CrashRounds {
  /** Begins all kinds of work, or in the long form about half of them. Resolves once the server may be ended. */
  load(server: SpawnedServer): Promise<Load>;
  /**
   * Checks on the next server that all promises are kept and nothing is half done. Returns the violations.
   *
   * @param mayLeaveFiles whether bytes may be left that no row names. They cost space and nothing else.
   */
  check(server: SpawnedServer, options?: { readonly mayLeaveFiles?: boolean }): Promise<readonly string[]>;
  /** The kept promises so far, as text. */
  summary(): string;
}

/** All running work. */
export interface Load {
  /** Resolves when no worker is at work any more. Rejects then if a response was not a success. */
  readonly ended: Promise<unknown>;
}

/** Prepares work on the first server of a data folder. */
export async function crashRounds(server: SpawnedServer): Promise<CrashRounds> {
  const { dataDir } = server;
  const account = await server.account();
  const lasting: readonly CrashWork[] = [
    uploadWork(account),
    chunkedWork(),
    serialWork(),
    tokenWork(account),
    shareWork(await server.account()),
  ];
  // Each webhook gets one push, so they run out soon. They begin when all others are running.
  const brief: readonly CrashWork[] = [await pushWork(server, account)];
  let begun: readonly CrashWork[] = [];
  return {
    async load(current) {
      const endings: Array<Promise<unknown>> = [];
      const chosen = [lasting, brief].map((works) => works.filter(() => !isLong || randomInt(2) === 0));
      if (chosen.flat().length === 0) chosen[0]!.push(lasting[0]!);
      begun = chosen.flat();
      for (const works of chosen) {
        const working = await Promise.all(works.map((work) => work.begin(current)));
        endings.push(...working.map(({ ended }) => ended));
        await Promise.all(working.map(({ enough, ended }) => Promise.race([enough, ended])));
      }
      const ended = allEnded(endings);
      ended.catch(() => {}); // the caller may look at it much later
      return { ended };
    },
    async check(next, { mayLeaveFiles = false } = {}) {
      const problems = async () => {
        const found = (await readDataFolder(dataDir, { bytes: true })).problems;
        return mayLeaveFiles ? found.filter((problem) => !isLeftFile(problem)) : found;
      };
      const found: string[] = [];
      if (isOnPostgres) await expect.poll(() => isGivenBack(dataDir), { timeout: 60_000 }).toBe(true);
      else found.push(...(await problems()));
      for (const work of begun) found.push(...(await work.check(next)));
      if (found.length === 0) await expect.poll(problems, { timeout: 60_000 }).toEqual([]);
      return found;
    },
    summary: () => [...lasting, ...brief].map((work) => work.summary()).join('; '),
  };
}

function isLeftFile(problem: string): boolean {
  return problem.startsWith('no row names the file');
}

/** Over PostgreSQL, what a killed server held is given back once its lease has ended. */
async function isGivenBack(dataDir: string): Promise<boolean> {
  const rows = await storedRows(dataDir);
  const held = await rows.all(
    'SELECT blob_id FROM reservations UNION ALL SELECT token_id FROM reserved_token_uses WHERE uses > 0',
  );
  await rows.close();
  return held.length === 0;
}
