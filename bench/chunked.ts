import { join } from 'node:path';

import { ask } from '#test/faults/client.ts';
import { generatedPart } from '#test/faults/generated-upload.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { PartNumber } from '#server/features/uploads/part-number.ts';
import { Connections } from '#server/stores/sqlite/connection.ts';
import { SqliteMetadata } from '#server/stores/sqlite/metadata.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { median, type Report } from './report.ts';

const megabyte = 1_048_576;
const limitMb = 400;
const accounts = 4;
const partsEach = 6;
const manyParts = 2048;
const path = '/v1/objects/chunked';

/**
 * Sends as many parts of 32 MB at once as four accounts may, then completes an upload with the most parts a file may
 * have.
 */
export async function chunked(report: Report): Promise<void> {
  const server = await spawnServer({ env: { CUBBY_RATE_LIMITS: 'on' } });
  try {
    await parallelParts(server, report);
  } finally {
    await server.remove();
  }
  const fresh = await spawnServer();
  try {
    await completions(fresh, report);
  } finally {
    await fresh.remove();
  }
}

async function start({ urls }: SpawnedServer, { credential }: TestAccount, name: string): Promise<string> {
  return (await ask(`${urls.base}${path}?name=${name}`, { method: 'POST', credential })).json.response.upload;
}

async function parallelParts(server: SpawnedServer, { say, row }: Report): Promise<void> {
  const uploaders = await Promise.all(Array.from({ length: accounts }, () => server.account('enterprise')));
  const handles = await Promise.all(uploaders.map((account) => start(server, account, 'parts')));
  const idleMb = residentMb(server.pid);
  let peakMb = 0;
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(server.pid))), 50);
  for (const round of [1, 2, 3]) {
    const startedAt = performance.now();
    const usedMs = processorMs(server.pid);
    const statuses = await Promise.all(
      uploaders.flatMap((account, at) =>
        Array.from({ length: partsEach }, (_, number) =>
          generatedPart(server, account, {
            upload: handles[at]!,
            part: (round - 1) * partsEach + number + 1,
            sizeBytes: 32 * megabyte,
          }),
        ),
      ),
    );
    if (statuses.some((status) => status !== 200)) throw new Error(`Not all parts were stored: ${statuses}`);
    const seconds = (performance.now() - startedAt) / 1000;
    say(`round ${round}: ${statuses.length} parts in ${seconds.toFixed(1)} s, peak so far ${peakMb.toFixed(0)} MB`);
    const cost = (processorMs(server.pid) - usedMs) / statuses.length;
    if (round === 3)
      row(
        `${statuses.length} parts of 32 MB at once`,
        `${((statuses.length * 32) / seconds).toFixed(0)} MB/s`,
        `${cost.toFixed(0)} ms of processor time each`,
      );
  }
  clearInterval(sampling);
  row('the server before', `${idleMb.toFixed(0)} MB RSS`);
  row(
    'its peak meanwhile, sampled every 50 ms',
    `${peakMb.toFixed(0)} MB RSS`,
    `limit ${limitMb} MB: ${peakMb < limitMb ? 'kept' : 'NOT KEPT'}`,
  );
}

/** The parts are rows without bytes, in reverse order, so that nothing reads them. */
async function completions(server: SpawnedServer, { row }: Report): Promise<void> {
  const account = await server.account('enterprise');
  const connections = new Connections(join(server.dataDir, 'cubby.db'), { sync: false });
  const metadata = new SqliteMetadata(connections, {
    now: () => Date.now(),
    onFault: (error) => console.error(error),
    onMarkedForDeletion: () => {},
  });
  const took: number[] = [];
  const stalls: number[] = [];
  for (let round = 0; round < 10; round++) {
    const upload = await start(server, account, `many-${round}`);
    await metadata.atomically(async (tx) => {
      for (let part = manyParts; part > 0; part--) {
        const blob = { blobId: randomIds.opaqueId(), sizeBytes: 5 * megabyte, inline: null, crc32: 0 };
        await tx.accounts.reserve(account.id, blob.sizeBytes, Number.MAX_SAFE_INTEGER);
        await tx.chunkedUploads.putPart(
          upload.split('.')[0]!,
          { part: part as PartNumber, blob, md5: '0'.repeat(32) },
          Date.now(),
          Number.MAX_SAFE_INTEGER,
        );
      }
    });
    // In real use the parts arrive one by one, and their log is emptied on the way.
    connections.writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await server.watchLoop();
    const startedAt = performance.now();
    const { status } = await ask(server.urls.base + path, {
      method: 'PATCH',
      credential: account.credential,
      body: JSON.stringify({ upload }),
    });
    if (status !== 200) throw new Error(`The completion answered ${status}.`);
    took.push(performance.now() - startedAt);
    stalls.push((await server.loopDelay()).maxMs);
  }
  await metadata.close();
  connections.close();
  row(
    `completion of ${manyParts.toLocaleString('en')} parts, 10 GiB`,
    `${median(took).toFixed(0)} ms`,
    `the longest of ${took.length}: ${Math.max(...took).toFixed(0)} ms`,
  );
  row('event loop blocked meanwhile', `${Math.max(...stalls).toFixed(0)} ms`, 'at most');
}
