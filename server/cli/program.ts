import { Command, CommanderError } from 'commander';

import { features } from '#server/features.ts';
import { ownVersion } from '#server/version.ts';
import { coreCommands } from './core-commands.ts';
import { addFeatureCommands, type FeatureCommands } from './feature-commands.ts';
import { Operator, messageOf, type Environment, type Streams } from './operator.ts';

const about = `Commands for the operator of Cubby: npm run -s cubby -- <command>

They work while the server runs. Run them as the server's user and with its
environment (CUBBY_DATA_DIR, CUBBY_MASTER_KEY …). See
docs/operating/commands.md.`;

/**
 * Runs one command.
 *
 * @param args without the program's name
 * @returns the exit code: 0 for success, 1 when it failed, 2 for a wrong call
 */
export async function runCli(args: readonly string[], env: Environment, streams: Streams): Promise<number> {
  try {
    const operator = new Operator(env, streams, () => import('#server/stores/open.ts'));
    await (await program(args, operator, streams)).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message. Requested help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    streams.err(`error: ${messageOf(error)}\n`);
    return 1;
  }
}

async function program(args: readonly string[], operator: Operator, { out, err }: Streams): Promise<Command> {
  const cubby = new Command('cubby')
    .description(about)
    .version(ownVersion(), '--version', 'print the version of Cubby')
    .option('--json', 'print one JSON value on stdout, and nothing else there')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows the usage)');

  // A line names the group of its command. A script for a shell has all groups.
  const isNeeded = (group?: string) => group === undefined || args.includes(group) || args.includes('completion');

  for (const command of coreCommands) {
    if (typeof command === 'function') {
      command(cubby, operator);
      continue;
    }
    const [name, description, load] = command;
    const group = cubby.command(name).description(description);
    if (isNeeded(name)) for (const add of (await load()).adds) add(group, operator);
  }
  // Each comes right behind its neighbour, so the last one comes first.
  for (const { load, ...place } of (await commandsOfFeatures()).toReversed()) {
    const adds = isNeeded(place.group) ? (await load()).adds : [];
    if (adds.length > 0 || place.description !== undefined) addFeatureCommands(cubby, operator, place, adds);
  }
  return cubby;
}

async function commandsOfFeatures(): Promise<FeatureCommands[]> {
  const loaded = await Promise.all(features.flatMap((one) => ('commands' in one ? [one.commands()] : [])));
  return loaded.flatMap(({ commands }) => commands);
}
