import type { Command } from 'commander';

import { Failure } from './operator.ts';

/** Commands that belong to Cubby but not to this version. Asked for, they say so, whatever arguments came with them. */
export function addNotYet(cubby: Command): void {
  add(cubby, 'store', 'check of the stored files');
  add(cubby, 'backup', 'copy of the data folder');
  add(cubby, 'restore', 'return of a backup');
}

function add(parent: Command, name: string, description: string): void {
  const path = parent.parent ? `${parent.name()} ${name}` : name;
  parent
    .command(name)
    .helpGroup('Not in this version yet:')
    .description(description)
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw new Failure(`This version of Cubby does not have "${path}" yet.`);
    });
}
