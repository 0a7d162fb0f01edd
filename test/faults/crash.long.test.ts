import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { crashRounds } from './crash-rounds.ts';
import { readDataFolder } from './data-folder.ts';
import { progress, report, Tally } from './report.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { noStrace, sabotage } from './strace.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
/** Those during a start are among them. `CUBBY_TEST_KILLS` is for a longer or shorter long run. */
const kills = isLong ? Number(process.env.CUBBY_TEST_KILLS ?? 1_000) : 2;

/** Data folders that are worked on at the same time. A server that starts leaves a processor idle for a while. */
const folders = isLong ? 2 : 1;

/** On a busy machine, so much work at once waits longer for the database than the product allows. */
const relaxed = { timeLimitFactor: 3 };

/** Calls of a server that writes. */
const calls = ['pwrite64', 'fdatasync', 'fsync', 'write', 'openat', 'rename', 'unlink'];

const ways = {
  instant: 'SIGKILL at a random instant under load',
  call: 'SIGKILL at the beginning of a random system call under load',
  start: 'SIGKILL during the start that follows such a kill',
} as const;

/** The results of all folders. */
const tally = new Tally();
const kept: string[] = [];
let inDoubt = 0;

/** Kills a server at a random instant. */
async function killSometime(server: SpawnedServer): Promise<'instant'> {
  await sleep(randomInt(20));
  inDoubt += (await readDataFolder(server.dataDir)).reservations;
  await server.kill();
  return 'instant';
}

/**
 * Kills a server when one of its threads begins a certain system call for a certain time. Returns how it was killed.
 */
async function killAtCall(server: SpawnedServer): Promise<'call' | 'instant'> {
  const call = calls[randomInt(calls.length)]!;
  const killing = await sabotage(server.pid, `${call}:signal=KILL:when=${1 + randomInt(12)}`, []);
  const isKilled = await Promise.race([server.ended().then(() => true), sleep(1_500, false)]);
  await server.kill();
  await killing.end();
  return isKilled ? 'call' : 'instant';
}

/** Starts a server and kills it soon, probably before it is ready. */
async function killStart(dataDir: string): Promise<void> {
  const afterMs = randomInt(1_500);
  const onSpawned = (kill: () => void) => void setTimeout(kill, afterMs);
  const started = await spawnServer({ dataDir, ...relaxed, onSpawned }).catch(() => undefined);
  await started?.kill();
}

/** Loads and kills the servers of one folder, a hundred times or until a promise is broken. */
async function killServers(onKilled: () => void): Promise<void> {
  const first = await spawnServer(relaxed);
  let server = first;
  try {
    const works = await crashRounds(server);
    for (let round = 1; round <= 100 && tally.times < kills; round++) {
      const load = await works.load(server);
      const isAtCall = noStrace === undefined && round % 4 === 2;
      const way = await (isAtCall ? killAtCall(server) : killSometime(server));
      await load.ended;
      const killsStart = isLong && round % 3 === 0;
      if (killsStart) await killStart(first.dataDir);
      server = await spawnServer({ dataDir: first.dataDir, ...relaxed });
      const broken = await works.check(server);
      tally.add(ways[way], killsStart ? [] : broken);
      if (killsStart) tally.add(ways.start, broken);
      onKilled();
      if (broken.length > 0) return;
    }
    kept.push(works.summary());
  } finally {
    await server.kill();
    await first.remove();
  }
}

describe(`a server that is killed during work of all kinds (${kills} kills)`, () => {
  it(
    'has everything that it acknowledged after a restart, continues with it, and has no partial work',
    { timeout: 120_000 + kills * 20_000 },
    async () => {
      const startedAt = Date.now();
      const say = progress('kills');
      const onKilled = () => say(`${tally.times} of ${kills}, ${tally.broken.length} promises broken`);
      const killAll = async () => {
        while (tally.times < kills) await killServers(onKilled);
      };
      try {
        await Promise.all(Array.from({ length: folders }, killAll));
      } finally {
        report('kills', startedAt, tally.rows({ [ways.instant]: `${inDoubt} larger uploads were under way` }), kept);
      }
      for (const summary of kept) console.log(`kills: ${summary}`);
      console.log(`${inDoubt} larger uploads were under way`);
      expect(tally.broken).toEqual([]);
    },
  );
});
