import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClockBaseline, ClockBaselines } from '#server/domain/jobs/table.ts';
import { ifMissing } from './private-modes.ts';

/**
 * The baseline in the file `clock.json` of a data folder. It means nothing after the machine's next start. So it is not
 * synced to the disk, and a damaged file counts as none.
 */
export function fileClockBaselines(dataDir: string): ClockBaselines {
  const path = join(dataDir, 'clock.json');
  return {
    async find() {
      return parse((await readFile(path, 'utf8').catch(ifMissing)) ?? '');
    },
    async save(baseline) {
      // Requests and the watch of the clock may save at once.
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await writeFile(draft, JSON.stringify(baseline), { mode: 0o600 });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        // The server works without the file. Then only the server notices a jump, and no command before it does.
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
