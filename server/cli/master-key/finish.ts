import type { Command } from 'commander';

import { endRotation } from '#server/domain/master-key/finish-rotation.ts';
import { reseal } from '#server/domain/master-key/reseal.ts';
import { stateOf } from '#server/domain/master-key/rotation.ts';
import { reseals } from '#server/feature-parts.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';
import { formerKeysOf } from './status.ts';

interface Options {
  readonly endKeys?: boolean;
}

export function addMasterKeyFinish(masterKey: Command, operator: Operator): void {
  masterKey
    .command('finish')
    .description('end the grace period of the former master key now')
    .option('--end-keys', 'also when API keys or operator keys end with it, because nobody has used them since')
    .action(operator.storesAction((stores, options: Options) => finish(operator, stores, options)));
}

async function finish(operator: Operator, stores: Stores, { endKeys = false }: Options): Promise<Answer> {
  const { metadata, clock } = stores;
  const rotation = await metadata.read.masterKeys.lastRotation();
  if (!rotation || rotation.inForceAt === null || rotation.endedAt !== null)
    throw new Failure('There is no grace period to end. "cubby master-key status" shows the last rotation.');
  const former = await formerKeysOf(stores, rotation.number, 0);
  const ended = former.api_keys + former.operator_keys;
  if (ended > 0 && !endKeys && stateOf(rotation, clock.now()) === 'grace')
    throw new Failure(
      `Nothing was changed. ${former.api_keys} API keys and ${former.operator_keys} operator keys would end, ` +
        ('because nobody has used them since the rotation. "cubby master-key status" lists them. To end them, ' +
          'give --end-keys.'),
    );
  // What a server has written under the former key a moment ago must not be lost with it.
  await reseal({ ...stores, reseals }, rotation);
  await endRotation(stores, operator.actor);
  return {
    json: { number: rotation.number, ended: true, ended_keys: ended },
    text:
      `The former master key is worth nothing any more. Servers notice within seconds. ${ended} ` +
      'keys ended with it.',
  };
}
