import { Command, CommanderError } from 'commander';

import { features } from '#server/features.ts';
import { ownVersion } from '#server/version.ts';
import { coreCommands } from './core-commands.ts';
import { addFeatureCommands, type FeatureCommands } from './feature-commands.ts';
import { Operator, messageOf, type Environment, type Streams } from './operator.ts';

const about = `Commands for the operator of Cubby: npm run -s cubby -- <command>

They work while the server runs. Run them as the server's user and with its
environment (CUBBY_DATA_DIR, CUBBY_MASTER_KEY …). See docs/operating.md.`;

/**
 * Runs one command.
 *
 * @param args without the program's name
 * @returns the exit code: 0 for success, 1 when it failed, 2 for a wrong call
 */
export async function runCli(args: readonly string[], env: Environment, streams: Streams): Promise<number> {
  try {
    const operator = new Operator(env, streams, () => import('#server/stores/open.ts'));
    await (await program(operator, streams)).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message. Requested help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    streams.err(`error: ${messageOf(error)}\n`);
    return 1;
  }
}

async function program(operator: Operator, { out, err }: Streams): Promise<Command> {
  const cubby = new Command('cubby')
    .description(about)
    .version(ownVersion(), '--version', 'print the version of Cubby')
    .option('--json', 'print one JSON value on stdout, and nothing else there')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows the usage)');

  for (const command of coreCommands) {
    if (typeof command === 'function') {
      command(cubby, operator);
      continue;
    }
    const [name, description, ...adds] = command;
    const group = cubby.command(name).description(description);
    for (const add of adds) add(group, operator);
  }
  // Each comes right behind its neighbour, so the last one comes first.
  for (const commands of (await commandsOfFeatures()).toReversed()) addFeatureCommands(cubby, operator, commands);
  return cubby;
}

async function commandsOfFeatures(): Promise<FeatureCommands[]> {
  const loaded = await Promise.all(features.flatMap((one) => ('commands' in one ? [one.commands()] : [])));
  return loaded.flatMap(({ commands }) => commands);
}
