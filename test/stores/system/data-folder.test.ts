import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { dataFolders } from '#server/feature-parts.ts';
import { prepareDataFolder } from '#server/stores/system/data-folder.ts';

it('a folder is prepared while another process makes and removes the files of its database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cubby-folder-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const path = join(dataDir, 'cubby.db-shm');
  let isOver = false;
  const flicker = (async () => {
    while (!isOver) {
      await writeFile(path, '', { mode: 0o600 });
      await rm(path, { force: true });
      await nextTurn();
    }
  })();
  try {
    for (let time = 0; time < 500; time++) await expect(prepareDataFolder(dataDir, dataFolders)).resolves.toBeDefined();
  } finally {
    isOver = true;
    await flicker;
  }
});
