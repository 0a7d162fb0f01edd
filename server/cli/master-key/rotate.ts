import { InvalidArgumentError, type Command } from 'commander';

import type { Config } from '#server/config/config.ts';
import type { RotationReport, RotationStep } from '#server/stores/rotate-master-key.ts';
import { parseLifetime } from '../arguments.ts';
import { instant } from '../columns.ts';
import { readKeyFile } from '../key-file.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';
import { formerKeysOf, rotationJson } from './status.ts';
import { dayMs } from '#server/domain/day.ts';

interface Options {
  /** Milliseconds. */
  readonly grace: number;
  readonly newKeyFile?: string;
  readonly leaked?: boolean;
  /** Milliseconds. */
  readonly wait: number;
}

const defaultGraceMs = 30 * dayMs;

/** Five times the pause between two looks of a server, as a short stall must not matter. */
const defaultWaitMs = 10_000;

export function addMasterKeyRotate(masterKey: Command, operator: Operator): void {
  masterKey
    .command('rotate')
    .description('replace the master key while servers run; API keys, links and sign-ins from before go on')
    .option(
      '--grace <duration>',
      'how long the former key stays valid, such as 30d or 12h. API keys that nobody uses in this time end',
      parseLifetime,
      defaultGraceMs,
    )
    .option('--new-key-file <file>', 'a file with the new key, if the present one comes from CUBBY_MASTER_KEY(_FILE)')
    .option('--leaked', 'others know the present key: end temporary links, sign-ins and S3 key pairs at once')
    .option(
      '--wait <seconds>',
      'how long servers get to learn the new key before it is used; 0 if no server runs (default: 10)',
      seconds,
      defaultWaitMs,
    )
    .action(operator.action((options: Options) => rotate(operator, options)));
}

function seconds(text: string): number {
  if (!/^[0-9]{1,4}$/.test(text)) throw new InvalidArgumentError('Give whole seconds, from 0 to 9999.');
  return Number(text) * 1000;
}

const progress: Readonly<Record<RotationStep, string>> = {
  begun: 'The new key is stored. Servers are learning it …',
  known: 'Every server knows the new key.',
  'file replaced': 'The file master.key is replaced.',
  'in force': 'The new key is in force. Storing links and tokens under it …',
  resealed: '',
};

async function rotate(operator: Operator, { grace, newKeyFile, leaked = false, wait }: Options): Promise<Answer> {
  const newKey = newKeyFile === undefined ? undefined : await readKeyFile(newKeyFile);
  const { rotateMasterKey, MasterKeyRotationRefused } = await import('#server/stores/rotate-master-key.ts');
  return operator.onStores(async (stores, config) => {
    const report = await rotateMasterKey({
      ...{ config, stores, newKey, graceMs: grace, isLeaked: leaked, waitMs: wait, by: operator.actor },
      onStep: (step) => operator.progress(progress[step]),
    }).catch((error: unknown) => {
      throw error instanceof MasterKeyRotationRefused ? new Failure(error.message) : error;
    });
    return answerOf(stores, config, report, leaked);
  });
}

async function answerOf(
  stores: Stores,
  config: Config,
  { rotation, resealed }: RotationReport,
  isLeaked: boolean,
): Promise<Answer> {
  const former = await formerKeysOf(stores, rotation.number, 0);
  const until = instant(rotation.findsUntil!);
  const place =
    config.masterKey === undefined
      ? `The new key is in ${config.dataDir}/master.key. ` +
        `The former one is beside it, as master.key.${rotation.number - 1}: backups from before need it.`
      : `Put the new key into ${config.masterKeySource} for every server and command, and restart each server by ` +
        `${until}. Until then they also start with the former key. Keep that for backups from before.`;
  const ends = isLeaked
    ? 'Temporary links, sign-ins, cursors and unfinished chunked uploads from before have ended. ' +
      'S3 key pairs have new secrets: clients read them again with GET /v1/s3/credentials.'
    : 'What clients have from before goes on.';
  return {
    json: { ...rotationJson(rotation, former), resealed },
    text: [
      `The master key number ${rotation.number} is in force.`,
      place,
      ends,
      `${former.api_keys} API keys and ${former.operator_keys} operator keys are still stored under the former key. ` +
        `Each is stored under the new one when it is next used. Those that nobody uses by ${until} end. ` +
        '"cubby master-key status" lists them.',
    ].join('\n'),
  };
}
