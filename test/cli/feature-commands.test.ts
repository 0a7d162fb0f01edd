import { Command } from 'commander';
import { expect, it } from 'vitest';

import { addFeatureCommands, type AddCommand, type CommandsPlace } from '#server/cli/feature-commands.ts';
import { Operator } from '#server/cli/operator.ts';

const streams = { out: () => {}, err: () => {} };
const operator = new Operator({}, streams, () => Promise.reject(new Error('opens nothing')));
const command =
  (name: string): AddCommand =>
  (parent) =>
    void parent.command(name);

/** Returns the commands of a program with a group, after those of a feature are added. */
function commandsWith(place: CommandsPlace, adds: readonly AddCommand[]): Record<string, string[]> {
  const program = new Command('cubby');
  const group = program.command('key');
  for (const name of ['create', 'list']) group.command(name);
  program.command('migrate');
  addFeatureCommands(program, operator, place, adds);
  return Object.fromEntries(program.commands.map((one) => [one.name(), one.commands.map((below) => below.name())]));
}

const adds = [command('first'), command('second')];

it.each<[CommandsPlace, readonly AddCommand[], Record<string, string[]>]>([
  [{ group: 'key', after: 'create' }, adds, { key: ['create', 'first', 'second', 'list'], migrate: [] }],
  [
    { group: 'app', description: 'a group', after: 'key' },
    adds,
    { key: ['create', 'list'], app: ['first', 'second'], migrate: [] },
  ],
  [{ group: 'app', description: 'not loaded', after: 'key' }, [], { key: ['create', 'list'], app: [], migrate: [] }],
  [{ before: 'migrate' }, adds, { key: ['create', 'list'], first: [], second: [], migrate: [] }],
])('addFeatureCommands() puts commands in their place: %o', (place, added, commands) => {
  const found = commandsWith(place, added);
  expect(found).toEqual(commands);
  expect(Object.keys(found)).toEqual(Object.keys(commands));
});

it('addFeatureCommands() throws when there is no such neighbour', () => {
  expect(() => commandsWith({ after: 'missing' }, adds)).toThrow('cubby has no command missing.');
});
