import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClockBaseline, ClockBaselines } from '#server/domain/jobs/table.ts';

/**
 * The baseline in the file `clock.json` of a data folder. It means nothing after the machine's next start, so it is not
 * synced to disk, and a file that cannot be read as one counts as none.
 */
export function fileClockBaselines(dataDir: string): ClockBaselines {
  const path = join(dataDir, 'clock.json');
  return {
    async find() {
      return parse(await readFile(path, 'utf8').catch(ifMissing));
    },
    async save(baseline) {
      const draft = `${path}.${process.pid}`;
      try {
        await writeFile(draft, JSON.stringify(baseline), { mode: 0o600 });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        // No reason not to serve: without it a jump is noticed by the server alone, and not by a command before it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        await rm(path, { force: true });
      }
    },
  };
}

function parse(text: string): ClockBaseline | undefined {
  try {
    const { origin, offsetMs } = JSON.parse(text);
    return typeof origin === 'string' && Number.isSafeInteger(offsetMs) ? { origin, offsetMs } : undefined;
  } catch {
    return undefined;
  }
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}
