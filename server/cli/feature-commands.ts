import type { Command } from 'commander';

import type { Operator } from './operator.ts';

/** Adds a command to the program or to a group. */
export type AddCommand = (parent: Command, operator: Operator) => void;

/** Loads commands of a group. They are loaded only when a line names the group. */
export type LoadCommands = () => Promise<{ readonly adds: readonly AddCommand[] }>;

/** Where the help shows commands: right behind a command of the core, or right before it. */
type Place = { readonly after: string } | { readonly before: string };

/** Where commands of a feature are: in a group of the core, in a group that it adds, or in no group. */
export type CommandsPlace = Place & {
  readonly group?: string;
  /** What a group that the feature adds is for. Left out for a group of the core. */
  readonly description?: string;
};

/** Commands of a feature. */
export type FeatureCommands = CommandsPlace & { readonly load: LoadCommands };

/** Adds commands of a feature to the program. A group that the feature adds is there without its commands too. */
export function addFeatureCommands(
  program: Command,
  operator: Operator,
  { group, description, ...place }: CommandsPlace,
  adds: readonly AddCommand[],
): void {
  const isNewGroup = description !== undefined;
  const neighbours = group === undefined || isNewGroup ? program : commandNamed(program, group);
  const parent = isNewGroup ? program.command(group!).description(description) : neighbours;
  const before = neighbours.commands.length - (isNewGroup ? 1 : 0);
  for (const add of adds) add(parent, operator);
  // Help and completion show commands in the order of this list, to which commander adds at the end.
  const list = neighbours.commands as Command[];
  const added = list.splice(before);
  const isAfter = 'after' in place;
  const at = list.indexOf(commandNamed(neighbours, isAfter ? place.after : place.before));
  list.splice(isAfter ? at + 1 : at, 0, ...added);
}

function commandNamed(parent: Command, name: string): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (!found) throw new Error(`${parent.name()} has no command ${name}.`);
  return found;
}

declare module '#server/feature.ts' {
  interface Feature {
    /** Loads what it adds to the command line. Nothing else needs these files. */
    readonly commands?: () => Promise<{ readonly commands: readonly FeatureCommands[] }>;
  }
}
