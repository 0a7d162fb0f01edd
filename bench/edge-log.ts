import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { median, perSecond, rounded, type Report } from './report.ts';

const lineCount = 1_000_000;
const dayMs = 86_400_000;
const days = 30;
const limits = { seconds: 60, residentMb: 200, answerMs: 50 } as const;
const questions = 20;

/**
 * Imports a log of 1,000,000 lines over 30 days while a server runs, and measures queries afterwards. Compares with
 * GoAccess.
 */
export async function edgeLog({ say, row }: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const server = await spawnServer();
  try {
    const account = await server.account('enterprise');
    for (const [share, paths] of [
      [0.05, 300],
      [1, 3000],
    ] as const) {
      const log = join(folder, `access-${share}.log`);
      const what =
        `${lineCount.toLocaleString('en')} lines, ${share * 100} % of them errors of ` +
        `${paths.toLocaleString('en')} paths`;
      say(`writing ${what}`);
      await writeLog(log, { share, paths });
      const { app_id: appId } = JSON.parse(
        cubby(server, 'app', 'create', '--account', account.id, '--name', `web ${share}`, '--json').stdout,
      ) as { app_id: string };
      say('importing them');
      const { seconds, processorSeconds, peakMb } = await measured(
        process.execPath,
        ['server/cli/main.js', 'edge-log', 'import', '--app', appId, log],
        { CUBBY_DATA_DIR: server.dataDir },
      );
      const kept = (isKept: boolean) => (isKept ? 'kept' : 'PASSED');
      row(
        `import of ${what}`,
        `${seconds.toFixed(1)} s, ${rounded(perSecond(lineCount, seconds * 1000))} lines/s`,
        `${processorSeconds.toFixed(1)} s of processor time (limit ${limits.seconds} s: ` +
          `${kept(seconds < limits.seconds)})`,
      );
      row(
        '  its peak as the kernel counts it',
        `${peakMb.toFixed(0)} MB RSS`,
        `limit ${limits.residentMb} MB: ${kept(peakMb < limits.residentMb)}`,
      );
      await goaccess(row, log);
      say('asking for 30 days');
      await ask(row, server, account, appId);
    }
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

function cubby({ dataDir }: SpawnedServer, ...args: string[]) {
  return spawnSync(process.execPath, ['server/cli/main.js', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CUBBY_DATA_DIR: dataDir },
  });
}

interface Cost {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
}

/** Runs a program to its end and samples its resource use, which is gone once it ends. */
async function measured(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Cost> {
  const startedAt = performance.now();
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  let processorSeconds = 0;
  let peakMb = 0;
  const sampling = setInterval(() => {
    try {
      processorSeconds = processorMs(child.pid!) / 1000;
      peakMb = residentMb(child.pid!, 'VmHWM') || peakMb;
    } catch {
      // The program has ended meanwhile.
    }
  }, 50);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}.`);
  return { seconds: (performance.now() - startedAt) / 1000, processorSeconds, peakMb };
}

async function goaccess(row: Report['row'], log: string): Promise<void> {
  if (spawnSync('goaccess', ['--version']).error) return row('  GoAccess', 'not installed');
  const format =
    '{"msec":"%x.%^","remote_addr":"%h","request_method":"%m","request_uri":"%U","status":"%s","body_bytes_sent":"%b"}';
  const { seconds, processorSeconds, peakMb } = await measured('goaccess', [
    log,
    `--log-format=${format}`,
    '--datetime-format=%s',
    '--date-format=%s',
    '--time-format=%s',
    '-o',
    `${log}.json`,
    '--no-progress',
  ]);
  row(
    '  GoAccess on the same file',
    `${seconds.toFixed(1)} s`,
    `${processorSeconds.toFixed(1)} s of processor time, ${peakMb.toFixed(0)} MB RSS; it counts all requests, ` +
      'hosts too, and keeps nothing for later',
  );
}

/** Asks for a month up to now, each time shifted by a second so that no cache responds. */
async function ask(
  row: Report['row'],
  server: SpawnedServer,
  { credential }: TestAccount,
  appId: string,
): Promise<void> {
  await server.watchLoop();
  const usedMs = processorMs(server.pid);
  const times: number[] = [];
  for (let question = 0; question < questions; question++) {
    const end = Date.now() + dayMs - question * 61_000;
    const start = new Date(end - days * dayMs).toISOString();
    const query = `start=${start}&end=${new Date(end).toISOString()}&include_4xx=true`;
    const startedAt = performance.now();
    const response = await fetch(`${server.urls.base}/v2/apps/${appId}/network/errors?${query}`, {
      headers: { Authorization: credential },
    });
    const { response: breakdown } = (await response.json()) as { response: { summary: { total: number } } };
    times.push(performance.now() - startedAt);
    if (breakdown.summary.total === 0) throw new Error('The response has no errors.');
  }
  const cost = (processorMs(server.pid) - usedMs) / questions;
  const { maxMs } = await server.loopDelay();
  const worst = Math.max(...times);
  row(
    '  a month, 4xx too, asked over HTTP',
    `median ${rounded(median(times))} ms, worst of ${questions} ${rounded(worst)} ms`,
    `${rounded(cost)} ms of processor time each (limit ${limits.answerMs} ms: ` +
      `${median(times) < limits.answerMs ? 'kept' : 'PASSED'}); event loop held ${rounded(maxMs)} ms at worst`,
  );
}

async function writeLog(
  path: string,
  { share, paths }: { readonly share: number; readonly paths: number },
): Promise<void> {
  const out = createWriteStream(path);
  const since = Date.now() - days * dayMs;
  // A fixed seed: every run has the same lines.
  let state = 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const letters = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let line = 0; line < lineCount; line++) {
    const at = (since + (line / lineCount) * days * dayMs) / 1000;
    const status = random() < share ? [404, 404, 404, 403, 500, 502, 503][Math.floor(random() * 7)] : 200;
    const method = random() < 0.8 ? 'GET' : 'POST';
    const path = `/shop/${letters(Math.floor(random() ** 2 * paths))}/${line}?q=1`;
    const text =
      `{"msec":"${at.toFixed(3)}","remote_addr":"192.0.2.${line % 250}","request_method":"${method}",` +
      `"request_uri":"${path}","status":"${status}","body_bytes_sent":"1234"}\n`;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
