import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';

import { mayBeLegacyKey } from '#server/domain/access/credential.ts';
import { importLegacyKey } from '#server/domain/access/import-legacy-key.ts';
import { noAccount } from '../account/view.ts';
import { parseAccountId, parseLabel } from '../arguments.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';

interface Options {
  readonly account: string;
  readonly file: string;
  readonly name: string;
}

export function addKeyImportLegacy(key: Command, operator: Operator): void {
  key
    .command('import-legacy')
    .description(
      'take over an API key from before, so that its clients go on working; it may do everything and has no S3 key pair. May be called twice',
    )
    .requiredOption('--account <id>', 'whose key it is', parseAccountId)
    .requiredOption(
      '--file <path>',
      'a file that holds the key and nothing else, so that the key stands in no history of commands',
    )
    .option('--name <name>', 'what people call it, 1 to 64 characters', parseLabel, 'Imported key')
    .action(operator.answering((options: Options) => importKey(operator, options)));
}

async function importKey(operator: Operator, { account, file, name }: Options): Promise<Answer> {
  const credential = (await readFile(file, 'utf8').catch(refuseFile)).trim();
  if (!mayBeLegacyKey(credential))
    throw new Failure(
      `${file} holds no key from before: one line of 16 to 256 printable characters without spaces, not one of Cubby's own.`,
    );
  const { key, wasImported } = await operator.onStores(async (stores) => {
    if (!(await stores.metadata.read.accounts.find(account))) throw noAccount(account);
    return importLegacyKey(stores, { accountId: account, name, credential });
  });
  return {
    json: { key_id: key.id, account_id: key.accountId, name: key.name, imported: !wasImported },
    text: wasImported
      ? `The key was imported already, as "${key.name}"; nothing has changed.`
      : `The key is imported as "${key.name}", with key id ${key.id}. It works at once, also on a running server.`,
  };
}

function refuseFile(error: NodeJS.ErrnoException): never {
  throw new Failure(`The file cannot be read: ${error.message}.`);
}
