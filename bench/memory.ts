import { generatedUpload } from '#test/faults/generated-upload.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { processorMs, residentMb } from './process-usage.ts';
import type { Report } from './report.ts';

const megabyte = 1_048_576;
const limitMb = 400;
const uploadsEach = 4;
const accounts = 4;

/** Measures the server's memory during 16 uploads of 100 MB at once, the most that four accounts may have. */
export async function memory({ say, row }: Report): Promise<void> {
  const server = await spawnServer({ env: { CUBBY_RATE_LIMITS: 'on' } });
  try {
    const uploaders = await Promise.all(Array.from({ length: accounts }, () => server.account('enterprise')));
    const idleMb = residentMb(server.pid);
    let peakMb = 0;
    const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(server.pid))), 50);
    for (const round of [1, 2]) {
      const startedAt = performance.now();
      const usedMs = processorMs(server.pid);
      const statuses = await Promise.all(
        uploaders.flatMap((account) =>
          Array.from({ length: uploadsEach }, (_, number) =>
            generatedUpload(server, account, { name: `file-${number}`, sizeBytes: 100 * megabyte }),
          ),
        ),
      );
      if (statuses.some((status) => status !== 200)) throw new Error(`Not all uploads succeeded: ${statuses}`);
      const seconds = (performance.now() - startedAt) / 1000;
      say(`round ${round}: ${statuses.length} uploads in ${seconds.toFixed(1)} s, peak so far ${peakMb.toFixed(0)} MB`);
      const cost = (processorMs(server.pid) - usedMs) / statuses.length;
      if (round === 2)
        row(
          `${statuses.length} uploads of 100 MB at once`,
          `${((statuses.length * 100) / seconds).toFixed(0)} MB/s`,
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
    row(
      'its peak as the kernel counts it',
      `${residentMb(server.pid, 'VmHWM').toFixed(0)} MB RSS`,
      'since the process began',
    );
  } finally {
    await server.remove();
  }
}
