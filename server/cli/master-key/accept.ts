import type { Command } from 'commander';

import { Failure, type Answer, type Operator } from '../operator.ts';

interface Options {
  readonly lost?: boolean;
}

const consequences =
  'Accounts, files, public addresses and rules stay. Dead for good are all API keys, upload tokens, S3 key pairs, temporary links, share links and sign-ins, and what is stored ' +
  'encrypted: access tokens and addresses of git webhooks. Make new keys with "cubby key create".';

export function addMasterKeyAccept(masterKey: Command, operator: Operator): void {
  masterKey
    .command('accept')
    .description('when the key that the database was made with is lost for good: go on with the one in force')
    .option('--lost', `yes, it is lost. ${consequences}`)
    .action(operator.answering((options: Options) => accept(operator, options)));
}

async function accept(operator: Operator, { lost = false }: Options): Promise<Answer> {
  const config = operator.config();
  if (!lost) {
    throw new Failure(
      'Nothing was changed. Look for the key in your backups first: it is the file master.key of the same time, or what CUBBY_MASTER_KEY was set to. ' +
        `If it is lost for good, stop the server and run this command with --lost. ${consequences}`,
    );
  }
  const [{ acceptMasterKey, hasStores }, { openLog }] = await Promise.all([
    import('#server/stores/open.ts'),
    import('#server/log.ts'),
  ]);
  if (!hasStores(config))
    throw new Failure(
      `There is no Cubby database in ${config.dataDir}. Set CUBBY_DATA_DIR to the server's data folder.`,
    );
  await acceptMasterKey(config, openLog(config.logLevel));
  return {
    json: { accepted: true },
    text: `The database goes with the master key in force from now on. ${consequences}`,
  };
}
