import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect } from 'vitest';

/** What the code of the guarding files calls at each place that has a mutant. */
declare global {
  var isActiveMutant: (id: string) => boolean;
}

const { CUBBY_MUTANT: active, CUBBY_MUTANT_REACHED: folder } = process.env;
const reached = new Set<string>();
globalThis.isActiveMutant = (id) => {
  if (folder !== undefined) reached.add(id);
  return id === active;
};

// Notes which mutants the tests of each file reach. This hook runs after those of the file.
if (folder !== undefined)
  afterAll(() => {
    const path = expect.getState().testPath!;
    writeFileSync(join(folder, `${path.replaceAll(/\W/g, '_')}.json`), JSON.stringify({ path, ids: [...reached] }));
  });
