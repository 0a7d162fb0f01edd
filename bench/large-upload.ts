import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { ask } from '#test/faults/client.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { median, perSecond, rounded, type Report } from './report.ts';
import { streamBytes } from './stream-bytes.ts';
import { plainWrite } from './uploads.ts';

const megabyte = 1_048_576;
const partBytes = 32 * megabyte;
const parts = 32;
const sizeBytes = parts * partBytes;
const rounds = 5;

/** The figures of one upload of the whole file, in a fresh server. */
interface Turn {
  readonly mbPerSecond: number;
  readonly serverMs: number;
  readonly peakMb: number;
}

interface Way {
  readonly name: string;
  readonly turn: (folder: string) => Promise<Turn>;
}

const ways: readonly Way[] = [
  { name: 'Cubby, six parts at once', turn: () => cubby(6) },
  { name: 'Cubby, one part after another', turn: () => cubby(1) },
  { name: 'tus, one PATCH', turn: (folder) => tus(folder, sizeBytes) },
  { name: 'tus, PATCHes of 32 MB', turn: (folder) => tus(folder, partBytes) },
  { name: 'tus, one PATCH, and synced by us', turn: (folder) => tus(folder, sizeBytes, 'sync') },
];

/**
 * Uploads a file of 1 GB in parts. Compares with plain writing and with the reference server of tus, in turns on the
 * same disk.
 */
export async function largeUpload({ say, row }: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const plainRates: number[] = [];
  const turns = new Map<Way, Turn[]>(ways.map((way) => [way, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}, load average ${loadavg()[0]!.toFixed(1)}`);
      plainRates.push(await plainWrite(join(folder, 'plain'), sizeBytes));
      say(`plain writing, then fsync: ${rounded(plainRates.at(-1)!)} MB/s`);
      for (const [way, taken] of turns) {
        taken.push(await way.turn(folder));
        const { mbPerSecond, serverMs, peakMb } = taken.at(-1)!;
        say(
          `${way.name}: ${rounded(mbPerSecond)} MB/s, ${rounded(serverMs)} ms of processor time, peak ` +
            `${peakMb.toFixed(0)} MB`,
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const plain = median(plainRates);
  row('plain writing of 1 GB, then fsync', `${rounded(plain)} MB/s`, `the median of ${rounds}, as all that follow`);
  for (const [{ name }, taken] of turns) {
    const rate = median(taken.map(({ mbPerSecond }) => mbPerSecond));
    const serverMs = median(taken.map((turn) => turn.serverMs));
    const peakMb = median(taken.map((turn) => turn.peakMb));
    row(
      name,
      `${rounded(rate)} MB/s`,
      `${(rate / plain).toFixed(2)} of plain; ${rounded(serverMs)} ms of the server's processor time, its peak ` +
        `${peakMb.toFixed(0)} MB RSS`,
    );
  }
}

/** Measures from the first request to the last response. */
async function measured(pid: number, upload: () => Promise<void>): Promise<Turn> {
  const usedMs = processorMs(pid);
  const startedAt = performance.now();
  await upload();
  const tookMs = performance.now() - startedAt;
  return {
    mbPerSecond: perSecond(sizeBytes / megabyte, tookMs),
    serverMs: processorMs(pid) - usedMs,
    peakMb: residentMb(pid, 'VmHWM'),
  };
}

async function cubby(atOnce: number): Promise<Turn> {
  const server = await spawnServer();
  const agent = new Agent({ keepAlive: true });
  try {
    const { credential } = await server.account('enterprise');
    const path = `${server.urls.base}/v1/objects/chunked`;
    return await measured(server.pid, async () => {
      const { upload } = (await ask(`${path}?name=large`, { method: 'POST', credential })).json.response;
      let sent = 0;
      const worker = async () => {
        while (sent < parts) {
          const url = `${path}?upload=${upload}&part=${++sent}`;
          const { status, text } = await streamBytes({
            url,
            method: 'PUT',
            headers: { Authorization: credential },
            sizeBytes: partBytes,
            agent,
          });
          if (status !== 200) throw new Error(`The server answered a part with ${status}: ${text}`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      const { status } = await ask(path, { method: 'PATCH', credential, body: JSON.stringify({ upload }) });
      if (status !== 200) throw new Error(`The completion answered ${status}.`);
    });
  } finally {
    agent.destroy();
    await server.remove();
  }
}

async function tus(folder: string, patchBytes: number, syncs: 'sync' | '' = ''): Promise<Turn> {
  const directory = await mkdtemp(join(folder, 'tus-'));
  const child = fork(join(import.meta.dirname, 'tus-server.ts'), [directory, syncs]);
  const agent = new Agent({ keepAlive: true });
  try {
    const [port] = (await once(child, 'message')) as [number];
    const headers = { 'Tus-Resumable': '1.0.0' };
    return await measured(child.pid!, async () => {
      const made = await streamBytes({
        url: `http://127.0.0.1:${port}/files`,
        method: 'POST',
        headers: { ...headers, 'Upload-Length': String(sizeBytes) },
        sizeBytes: 0,
        agent,
      });
      if (made.status !== 201) throw new Error(`The upload was not made: ${made.status} ${made.text}`);
      for (let offset = 0; offset < sizeBytes; offset += patchBytes) {
        const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
        const answer = await streamBytes({
          url: made.headers.location!,
          method: 'PATCH',
          headers: { ...headers, ...type },
          sizeBytes: patchBytes,
          agent,
        });
        if (answer.status !== 204 || answer.headers['upload-offset'] !== String(offset + patchBytes))
          throw new Error(`The server answered a PATCH with ${answer.status}: ${answer.text}`);
      }
    });
  } finally {
    agent.destroy();
    child.kill();
    await settle(directory);
  }
}

/** Flushes the kernel's cache, so that the next turn does not wait for it. */
async function settle(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const handle = await open(join(directory, name), 'r');
    await handle.sync();
    await handle.close();
  }
  await rm(directory, { recursive: true });
}
