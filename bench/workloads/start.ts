import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { residentMb } from '../process-usage.ts';
import { median, rounded, type Report } from '../report.ts';
import { freePort } from '../s3.ts';

const rounds = 5;
const server = join(import.meta.dirname, '../../server/main.js');
const commandLine = join(import.meta.dirname, '../../server/cli/main.js');
const bare = "require('http').createServer((q,s)=>s.end()).listen(process.env.PORT,'127.0.0.1')";

interface Start {
  readonly answeredMs: number;
  readonly idleMb: number;
}

/** Measures the time from a start to the first response, the memory of an idle server, and the command line. */
export async function startFigures({ say, row }: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-start-'));
  const own: Start[] = [];
  const floor: Start[] = [];
  const commands: number[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      say(`W7 starts, round ${round} of ${rounds}`);
      floor.push(await started(['-e', bare], {}, '/'));
      own.push(await started([server], { CUBBY_DATA_DIR: folder, CUBBY_LOG: 'warn' }, '/livez'));
      const startedAt = performance.now();
      await once(spawn(process.execPath, [commandLine, '--help'], { stdio: 'ignore' }), 'exit');
      commands.push(performance.now() - startedAt);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const figures = (starts: readonly Start[]) =>
    [
      `${rounded(median(starts.map((s) => s.answeredMs)))} ms`,
      `${rounded(median(starts.map((s) => s.idleMb)))} MB idle`,
    ] as const;
  row('W7 start to the first response', '', '');
  row('  bare node:http', ...figures(floor));
  row('  Cubby', ...figures(own));
  row('  cubby --help', `${rounded(median(commands))} ms`);
}

async function started(args: readonly string[], env: Readonly<Record<string, string>>, path: string): Promise<Start> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const doors = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door, i) => [`CUBBY_${door}_PORT`, `${ports[i]}`]),
  );
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, ...doors, PORT: `${ports[0]}`, ...env },
  });
  try {
    while (!(await fetch(`http://127.0.0.1:${ports[0]}${path}`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}.`);
      await sleep(2);
    }
    const answeredMs = performance.now() - startedAt;
    await sleep(1_500);
    return { answeredMs, idleMb: residentMb(child.pid!) };
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
}
