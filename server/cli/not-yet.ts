import type { Command } from 'commander';

import { Failure } from './operator.ts';

/** Adds commands that are planned but not available. They say so, whatever their arguments. */
export function addNotYet(cubby: Command, store: Command): void {
  add(store, 'check', 'check of the stored files');
  add(cubby, 'backup', 'copy of the data folder');
  add(cubby, 'restore', 'restore of a backup');
}

function add(cubby: Command, name: string, description: string): void {
  cubby
    .command(name)
    .helpGroup('Not in this version yet:')
    .description(description)
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw new Failure(`This version of Cubby does not have "${name}" yet.`);
    });
}
