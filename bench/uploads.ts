import { mkdtemp, open, rename, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generatedUpload } from '#test/faults/generated-upload.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { requestsPerSecond, uploadRequest } from './load.ts';
import { processorMs } from './process-usage.ts';
import { median, perSecond, rounded, type Report } from './report.ts';

const megabyte = 1_048_576;
const smallBytes = 4096;
const parallel = 16;
const durationMs = 4_000;
const rounds = 3;

/** Measures durable uploads, compared with writing the same bytes durably to the same disk without a server. */
export async function uploads({ say, row }: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const server = await spawnServer({ dataDir: join(folder, 'data') });
  try {
    const account = await server.account();
    const smallRates: number[] = [];
    const smallCosts: number[] = [];
    const plainRates: number[] = [];
    const largeRates: number[] = [];
    const fourRates: number[] = [];
    const plainLargeRates: number[] = [];
    // In turns, because a shared disk changes from second to second.
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      const usedMs = processorMs(server.pid);
      smallRates.push(await smallUploads(server, account, round));
      smallCosts.push((processorMs(server.pid) - usedMs) / ((smallRates.at(-1)! * durationMs) / 1000));
      plainRates.push(await plainFiles(folder));
      largeRates.push(await largeUploads(server, account, 1));
      fourRates.push(await largeUploads(server, account, 4));
      plainLargeRates.push(await plainWrite(join(folder, 'plain'), 100 * megabyte));
    }
    row(
      `uploads of 4 KiB, ${parallel} at a time`,
      `${rounded(median(smallRates))} /s`,
      `a plain file each, synced with its folder: ${rounded(median(plainRates))} /s`,
    );
    row('  and its cost', `${median(smallCosts).toFixed(2)} ms`, "of the server's processor time each");
    row(
      'uploads of 100 MB, one at a time',
      `${rounded(median(largeRates))} MB/s`,
      `plain writing of the same bytes with fsync: ${rounded(median(plainLargeRates))} MB/s`,
    );
    row('uploads of 100 MB, four at a time', `${rounded(median(fourRates))} MB/s`, 'all together');
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

function smallUploads(server: SpawnedServer, { credential }: TestAccount, round: number): Promise<number> {
  const bytes = someBytes(smallBytes);
  const request = (number: number) => uploadRequest(server.urls.base, credential, `small-${round}-${number}`, bytes);
  return requestsPerSecond({ url: server.urls.base, connections: parallel, durationMs, request });
}

/** Writes files of the same size as a careful program does: temporary name, sync, rename, sync of the folder. */
async function plainFiles(folder: string): Promise<number> {
  const bytes = someBytes(smallBytes);
  const directory = await open(folder, 'r');
  let written = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (performance.now() - startedAt < durationMs) {
      const path = join(folder, `plain-${written++}`);
      const handle = await open(`${path}.tmp`, 'wx');
      await handle.write(bytes);
      await handle.sync();
      await handle.close();
      await rename(`${path}.tmp`, path);
      await directory.sync();
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const rate = perSecond(written, performance.now() - startedAt);
  await directory.close();
  for (let number = 0; number < written; number++) await unlink(join(folder, `plain-${number}`));
  return rate;
}

/** Returns the MB/s of several uploads together. */
async function largeUploads(server: SpawnedServer, account: TestAccount, count: number): Promise<number> {
  const startedAt = performance.now();
  const names = Array.from({ length: count }, (_, number) => `large-${number}`);
  const statuses = await Promise.all(
    names.map((name) => generatedUpload(server, account, { name, sizeBytes: 100 * megabyte })),
  );
  if (statuses.some((status) => status !== 200)) throw new Error(`Not all uploads succeeded: ${statuses}`);
  return perSecond(count * 100, performance.now() - startedAt);
}

/** Returns the MB/s of writing this many bytes to a file and syncing it, without a server. */
export async function plainWrite(path: string, sizeBytes: number): Promise<number> {
  const chunk = someBytes(262_144);
  const startedAt = performance.now();
  const handle = await open(path, 'w');
  for (let left = sizeBytes; left > 0; left -= chunk.length) await handle.write(chunk, 0, Math.min(chunk.length, left));
  await handle.sync();
  await handle.close();
  const rate = perSecond(sizeBytes / megabyte, performance.now() - startedAt);
  await unlink(path);
  return rate;
}
