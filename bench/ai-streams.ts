import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';

import { spawnServer } from '#test/faults/spawned-server.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';
import { startPart } from './start-part.ts';

const accounts = 500;
const streamsEach = 2;
const sequential = 200;
const rounds = 5;
const aimMs = 2;
const limitMb = 300;
/** How long the open streams run while they are measured. */
const openMs = 5000;

interface Target {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly credentials: readonly string[];
}

const agent = new Agent({ keepAlive: true });

/** Opens a stream. Resolves with the time until its first piece of text. */
function openStream(url: string, credential: string, model: string) {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'What is an ETag?' }] });
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<{
    firstMs: number;
    ended: Promise<void>;
    leave(): void;
  }>();
  const req = request(
    url,
    { agent, method: 'POST', headers: { authorization: credential, 'content-type': 'application/json' } },
    (res) => {
      if (res.statusCode !== 200) reject(new Error(`${url} answered ${res.statusCode}.`));
      let text = '';
      const look = (chunk: Buffer): void => {
        text += String(chunk);
        if (!/"content":"[^"]/.test(text)) return;
        res.off('data', look).resume();
        const ended = new Promise<void>((end) => res.once('end', end).once('error', () => end()));
        resolve({ firstMs: performance.now() - startedAt, ended, leave: () => req.destroy() });
      };
      res.on('data', look);
    },
  );
  req.on('error', reject).end(body);
  return promise;
}

/**
 * Measures when the first text of a stream comes, beside a bare proxy in the same run, and the memory of many streams
 * at once.
 */
export async function aiStreams(report: Report): Promise<void> {
  const children: ChildProcess[] = [];
  const upstream = await startPart(children, 'ai-upstream.ts');
  const proxy = await startPart(children, 'ai-proxy.ts', upstream.url);
  // The model's name tells the upstream to write slowly.
  const settings = { CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_STREAMING: 'on', CUBBY_RATE_LIMITS: 'on' };
  const [fast, slow] = [
    await spawnServer({ env: settings }),
    await spawnServer({ env: { ...settings, CUBBY_AI_UPSTREAM_MODEL: 'slow' } }),
  ];
  try {
    const path = '/chat/completions';
    const { credential } = await fast.account('enterprise');
    await firstPieces(report, [
      { name: 'the upstream itself', pid: upstream.pid, url: upstream.url + path, credentials: ['none'] },
      { name: 'bare node:http proxy', pid: proxy.pid, url: proxy.url + path, credentials: ['none'] },
      { name: 'Cubby', pid: fast.pid, url: `${fast.urls.api}/v2/ai${path}`, credentials: [credential] },
    ]);
    report.say(`making ${accounts} accounts`);
    const credentials: string[] = [];
    for (let n = 0; n < accounts; n++) credentials.push((await slow.account('enterprise')).credential);
    const many = credentials.flatMap((one) => Array<string>(streamsEach).fill(one));
    await openMany(report, { name: 'bare node:http proxy', pid: proxy.pid, url: proxy.url + path, credentials: many });
    await openMany(report, { name: 'Cubby', pid: slow.pid, url: `${slow.urls.api}/v2/ai${path}`, credentials: many });
  } finally {
    agent.destroy();
    for (const child of children) child.disconnect();
    await Promise.all([fast.remove(), slow.remove()]);
  }
}

/** Targets take turns, so that other load on the machine affects all of them. */
async function firstPieces({ say, row }: Report, targets: readonly Target[]): Promise<void> {
  const times = new Map<Target, number[]>(targets.map((target) => [target, []]));
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `first text, round ${round} of ${rounds}`);
    for (const [target, found] of times) {
      for (let n = 0; n < sequential; n++) {
        const { firstMs, ended } = await openStream(target.url, target.credentials[0]!, 'fast');
        await ended;
        if (round > 0) found.push(firstMs);
      }
    }
  }
  const [direct] = targets;
  for (const [target, found] of times) {
    const addedMs = median(found) - median(times.get(direct!)!);
    const verdict = target.name === 'Cubby' ? ` (aim ${aimMs}: ${addedMs <= aimMs ? 'kept' : 'NOT KEPT'})` : '';
    const beside = target === direct ? '' : `adds ${addedMs.toFixed(2)} ms${verdict}`;
    row(`first text of a stream, ${target.name}`, `p50 ${median(found).toFixed(2)} ms`, beside);
  }
}

async function openMany({ say, row }: Report, { name, pid, url, credentials }: Target): Promise<void> {
  say(`${credentials.length} streams at once, ${name}`);
  const idleMb = residentMb(pid);
  const streams: Array<{ leave(): void }> = [];
  for (let at = 0; at < credentials.length; at += 50)
    streams.push(
      ...(await Promise.all(credentials.slice(at, at + 50).map((credential) => openStream(url, credential, 'slow')))),
    );
  let peakMb = 0;
  const usedMs = processorMs(pid);
  for (const endsAt = performance.now() + openMs; performance.now() < endsAt;) {
    peakMb = Math.max(peakMb, residentMb(pid));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const share = ((processorMs(pid) - usedMs) / openMs) * 100;
  for (const stream of streams) stream.leave();
  const verdict = name === 'Cubby' ? `limit ${limitMb} MB: ${peakMb < limitMb ? 'kept' : 'NOT KEPT'}; ` : '';
  row(
    `${credentials.length} open streams of 10 pieces a second, ${name}`,
    `${rounded(peakMb)} MB RSS`,
    `${verdict}${rounded(idleMb)} MB before; ${rounded(share)} % of a processor`,
  );
}
