import type { Command } from 'commander';

/** A word that can be typed next, and what it does. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** A command, with everything that can follow it. */
export interface CommandNode {
  /** The words after the program's name: `['account', 'list']`. Empty for the program itself. */
  readonly path: readonly string[];
  readonly subcommands: readonly Candidate[];
  readonly options: readonly Candidate[];
}

/** Returns the program and all its commands, each before those below it. */
export function commandTree(program: Command): CommandNode[] {
  return nodesOf(program, [], []);
}

/** @param inherited the options of the commands above, which may be typed here too */
function nodesOf(command: Command, path: readonly string[], inherited: readonly Candidate[]): CommandNode[] {
  const own = command.options.map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
  const options = [...own, ...inherited];
  const subcommands = command.commands.map((one) => ({ word: one.name(), description: one.description() }));
  return [
    { path, subcommands, options: [...options, { word: '--help', description: 'explain the command' }] },
    ...command.commands.flatMap((one) => nodesOf(one, [...path, one.name()], options)),
  ];
}

/** Returns the first sentence of a description, because a menu has no space for more. */
export function summaryOf(description: string): string {
  return description.split(/[;\n]/, 1)[0]!.trim();
}

/** Quotes a text for bash, zsh and fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
