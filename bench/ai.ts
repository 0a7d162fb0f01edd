import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { ask } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { ChatLoad, ChatLoadOutcome } from './ai-load.ts';
import { startPeer } from './ai-peer.ts';
import type { ConstantLoadTimes } from './load.ts';
import { processorMs } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';
import { startPart } from './start-part.ts';

const accounts = 400;
const rates = [50, 500];
const durationMs = 4_000;
const rounds = 3;
/** Runs before all rounds, so that every round measures compiled code. */
const warmUp = { perSecond: 500, durationMs: 4_000 };
/** For 50 requests a second. */
const aim = { p50Ms: 1.5, p99Ms: 6 };
const longestHoldMs = 50;
const peerName = 'Portkey';

const question = {
  model: 'cubic',
  max_tokens: 256,
  messages: [
    { role: 'system', content: 'You answer in plain English, in as few words as will do.' },
    {
      role: 'user',
      content: 'What does a blob store promise about a file once it has answered that the file is stored? '.repeat(4),
    },
  ],
};

interface Target {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly credentials: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Measures what the AI gateway adds to an upstream, beside a bare proxy and another gateway in the same run. Also
 * measures how long counting tokens blocks the event loop.
 */
export async function ai(report: Report): Promise<void> {
  const children: ChildProcess[] = [];
  const upstream = await startPart(children, 'ai-upstream.ts');
  const proxy = await startPart(children, 'ai-proxy.ts', upstream.url);
  const load = fork(join(import.meta.dirname, 'ai-load.ts'));
  children.push(load);
  const peer = await startPeer(upstream.url);
  const server = await spawnServer({ env: { CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_RATE_LIMITS: 'on' } });
  try {
    report.say(`making ${accounts} accounts`);
    const credentials: string[] = [];
    for (let n = 0; n < accounts; n++) credentials.push((await server.account('enterprise')).credential);
    await counting(report, server, credentials[0]!);
    await manyAtOnce(report, server, credentials[0]!);
    const url = `${server.urls.api}/v2/ai/chat/completions`;
    const targets: readonly Target[] = [
      {
        name: 'the upstream itself',
        pid: upstream.pid,
        url: `${upstream.url}/chat/completions`,
        credentials: ['none'],
      },
      { name: 'bare node:http proxy', pid: proxy.pid, url: `${proxy.url}/chat/completions`, credentials: ['none'] },
      ...(peer ? [{ ...peer, name: peerName, url: `${peer.url}/chat/completions`, credentials: ['Bearer none'] }] : []),
      { name: 'Cubby', pid: server.pid, url, credentials },
    ];
    report.say('warming up');
    for (const { url, credentials, headers } of targets)
      await sent(load, { url, ...warmUp, credentials, headers, body: question });
    for (const perSecond of rates) await added(report, targets, perSecond, load);
    await requireCharged(server, credentials);
  } finally {
    peer?.stop();
    for (const child of children) child.disconnect();
    await server.remove();
  }
}

/** Targets take turns, so that other load on the machine affects all of them. */
async function added(
  { say, row }: Report,
  targets: readonly Target[],
  perSecond: number,
  load: ChildProcess,
): Promise<void> {
  const measured = new Map(
    targets.map((target) => [target, { times: [] as ConstantLoadTimes[], costs: [] as number[] }]),
  );
  for (let round = 1; round <= rounds; round++) {
    say(`${perSecond} /s, round ${round} of ${rounds}`);
    for (const [{ pid, url, credentials, headers }, { times, costs }] of measured) {
      const usedMs = processorMs(pid);
      times.push(await sent(load, { url, perSecond, durationMs, credentials, headers, body: question }));
      costs.push((processorMs(pid) - usedMs) / ((perSecond * durationMs) / 1000));
    }
  }
  const middle = (target: Target, time: 'p50Ms' | 'p99Ms') =>
    median(measured.get(target)!.times.map((met) => met[time]));
  const [direct] = targets;
  const ofPeer = [...measured].find(([{ name }]) => name === peerName)?.[1].costs;
  for (const [target, { costs }] of measured) {
    const [p50, p99] = [middle(target, 'p50Ms'), middle(target, 'p99Ms')];
    const [addedP50, addedP99] = [p50 - middle(direct!, 'p50Ms'), p99 - middle(direct!, 'p99Ms')];
    const isKept = addedP50 <= aim.p50Ms && addedP99 <= aim.p99Ms;
    const isOurs = target.name === 'Cubby';
    const verdict =
      isOurs && perSecond === rates[0] ? ` (aim ${aim.p50Ms} and ${aim.p99Ms}: ${isKept ? 'kept' : 'NOT KEPT'})` : '';
    const beside = isOurs && ofPeer ? `, ${(median(costs) / median(ofPeer)).toFixed(2)} times ${peerName}'s` : '';
    const adds = target === direct ? '' : `adds p50 ${addedP50.toFixed(2)}, p99 ${addedP99.toFixed(2)} ms${verdict}; `;
    row(
      `${perSecond} /s, ${target.name}`,
      `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      `${adds}${rounded(median(costs) * 1000)} µs of its processor time each${beside}`,
    );
  }
}

/** Sends a load. Returns its times if every response was 200. */
async function sent(load: ChildProcess, wanted: ChatLoad): Promise<ConstantLoadTimes> {
  load.send(wanted);
  const [met] = (await once(load, 'message')) as [ChatLoadOutcome];
  if ('failure' in met) throw new Error(`${wanted.url}: ${met.failure}`);
  if (Object.keys(met.statuses).join() !== '200') throw new Error(`Answers: ${JSON.stringify(met.statuses)}.`);
  return met;
}

/** Checks that each response was charged. Otherwise the figures would mean nothing. */
async function requireCharged({ urls }: SpawnedServer, credentials: readonly string[]): Promise<void> {
  let requests = 0;
  for (const credential of credentials)
    requests += (await ask(`${urls.api}/v2/ai/usage`, { credential })).json.requests.week.used;
  const answered = [...rates.map((perSecond) => ({ perSecond, durationMs: rounds * durationMs })), warmUp].reduce(
    (sum, load) => sum + (load.perSecond * load.durationMs) / 1000,
    0,
  );
  if (requests < answered) throw new Error(`${answered} requests were answered, and ${requests} are charged.`);
}

/** Measures how long worst-case texts for the tokenizer block other requests. */
async function counting({ say, row }: Report, server: SpawnedServer, credential: string): Promise<void> {
  say('counting tokens');
  const texts: ReadonlyArray<readonly [name: string, unit: string]> = [
    ['"a"', 'a'],
    ['CJK', '漢字文章語彙表現力学'],
    ['one CJK character', '漢'],
    ['emoji', '😀'],
    ['emoji of seven characters', '👨‍👩‍👧‍👦'],
    ['spaces', ' '],
    ['letters by chance', ''],
  ];
  const url = `${server.urls.api}/v2/ai/chat/completions`;
  for (const [name, unit] of texts) {
    const content =
      unit === '' ? randomLetters(100_000) : unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000);
    const body = JSON.stringify({ messages: [{ role: 'user', content }] });
    const held: number[] = [];
    const took: number[] = [];
    let status = 0;
    for (let time = 0; time < 3; time++) {
      await server.watchLoop();
      const startedAt = performance.now();
      ({ status } = await ask(url, { method: 'POST', credential, body }));
      took.push(performance.now() - startedAt);
      held.push((await server.loopDelay()).maxMs);
    }
    const worst = Math.max(...held);
    const verdict = `(limit ${longestHoldMs}: ${worst < longestHoldMs ? 'kept' : 'NOT KEPT'})`;
    row(
      `100,000 characters: ${name}`,
      `${status} in ${rounded(median(took))} ms`,
      `event loop held ${rounded(median(held))} ms, at worst ${rounded(worst)} ms ${verdict}`,
    );
  }
}

/** Sends large bodies of one account all at once. */
async function manyAtOnce({ say, row }: Report, server: SpawnedServer, credential: string): Promise<void> {
  say('many large bodies at once');
  const url = `${server.urls.api}/v2/ai/chat/completions`;
  const body = JSON.stringify({ messages: [{ role: 'user', content: randomLetters(900_000) }] });
  await server.watchLoop();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(url, { method: 'POST', credential, body })));
  const { maxMs } = await server.loopDelay();
  const statuses = [...new Set(answers.map(({ status }) => status))].join(' and ');
  row(
    '60 bodies of 900 kB at once, one account',
    `${statuses} in ${rounded(performance.now() - startedAt)} ms`,
    `event loop held at worst ${rounded(maxMs)} ms (limit ${longestHoldMs}: ` +
      `${maxMs < longestHoldMs ? 'kept' : 'NOT KEPT'})`,
  );
}

function randomLetters(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(26 * Math.random()))).join('');
}
