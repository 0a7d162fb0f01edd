import type { Command } from 'commander';

import { Failure } from './operator.ts';

/** Adds commands that are planned but not available. They say so, whatever their arguments. */
export function addNotYet(cubby: Command): void {
  add(cubby, 'store', 'check of the stored files');
  add(cubby, 'backup', 'copy of the data folder');
  add(cubby, 'restore', 'restore of a backup');
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
