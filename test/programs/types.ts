/**
 * Part of `npm run typecheck`: checks the tests that are written in the types of the packages of `test/programs/`.
 * Without the packages there is nothing to check them with.
 */
import { spawnSync } from 'node:child_process';

import { isInstalled, packageGroups, placeOf } from '../support/packages.ts';

const packages = [...packageGroups.values()].flatMap((group) => Object.keys(group));
if (packages.every(isInstalled)) {
  const cache = placeOf('.cache/tsc-programs.json');
  const args = ['-p', 'test/programs', '--checkers', '1', '--incremental', '--tsBuildInfoFile', cache];
  process.exitCode = spawnSync('tsc', args, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
}
