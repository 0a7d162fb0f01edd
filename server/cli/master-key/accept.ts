import type { Command } from 'commander';

import { Failure, type Answer, type Operator } from '../operator.ts';
import { recordAction } from '../record-action.ts';

interface Options {
  readonly lost?: boolean;
}

const consequences =
  'Accounts, files, public addresses and rules stay. Lost for good: all API keys, upload tokens, S3 key pairs, ' +
  'temporary links, share links and sign-ins, and the stored access tokens and addresses of git webhooks. ' +
  'Make new keys with "cubby key create".';

export function addMasterKeyAccept(masterKey: Command, operator: Operator): void {
  masterKey
    .command('accept')
    .description('use the current master key when the one that the database was created with is lost for good')
    .option('--lost', `confirm that it is lost. ${consequences}`)
    .action(operator.action((options: Options) => accept(operator, options)));
}

async function accept(operator: Operator, { lost = false }: Options): Promise<Answer> {
  const config = operator.config();
  if (!lost) {
    throw new Failure(
      'Nothing was changed. Look for the key in your backups first: it is the file master.key of that time, or the ' +
        'value of CUBBY_MASTER_KEY. If it is lost for good, stop the server and run this command with --lost. ' +
        consequences,
    );
  }
  await operator.requireDatabase(config);
  const { acceptMasterKey } = await import('#server/stores/open.ts');
  await acceptMasterKey(config, await operator.log(config));
  await operator.onStores((stores) => recordAction(operator, stores, { action: 'master_key.accepted', details: {} }));
  return {
    json: { accepted: true },
    text: `The database uses the current master key from now on. ${consequences}`,
  };
}
