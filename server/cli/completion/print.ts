import type { Command } from 'commander';

import { oneOf } from '../arguments.ts';
import type { Operator } from '../operator.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { commandTree, type CommandNode } from './tree.ts';
import { zshCompletion } from './zsh.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const satisfies Record<
  string,
  (name: string, tree: readonly CommandNode[]) => string
>;
const shellNames = Object.keys(shells) as Array<keyof typeof shells>;

export function addCompletion(cubby: Command, operator: Operator): void {
  cubby
    .command('completion')
    .description('print a script that lets a shell complete the commands and options')
    .argument('<shell>', shellNames.join(', '), oneOf(shellNames, 'shell'))
    .action((shell: keyof typeof shells) => operator.write(shells[shell](cubby.name(), commandTree(cubby))));
}
