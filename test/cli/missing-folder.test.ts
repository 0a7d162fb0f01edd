import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { cubbyHere, temporaryFolder } from './cubby.ts';

/** Commands on the stores of a server, which make none. */
const commands = [
  ['account', 'list'],
  ['audit', 'verify'],
  ['backup', 'list'],
  ['operator', 'key', 'list'],
  ['purges', 'list'],
  ['store', 'check'],
  ['store', 'shrink'],
  ['migrate', '--dry-run'],
];

it.each(commands.map((command) => [command.join(' '), command] as const))(
  '%s says that the folder is missing, and makes none',
  async (_, command) => {
    const folder = join(await temporaryFolder(), 'nowhere');
    expect(await cubbyHere(folder)(...command)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`There is no Cubby database in ${folder}.`),
    });
    expect(existsSync(folder)).toBe(false);
  },
);
