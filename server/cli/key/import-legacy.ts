import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';

import { mayBeLegacyKey } from '#server/domain/access/credential.ts';
import { importLegacyKey } from '#server/domain/access/import-legacy-key.ts';
import { findAccount } from '../account/view.ts';
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
      'import an API key of an earlier service, so that its clients keep working; ' +
        'it gets all scopes and no S3 key pair; safe to repeat',
    )
    .requiredOption('--account <id>', 'account of the key', parseAccountId)
    .requiredOption('--file <path>', 'a file that holds only the key; this keeps the key out of the shell history')
    .option('--name <name>', 'display name, 1 to 64 characters', parseLabel, 'Imported key')
    .action(operator.action((options: Options) => importKey(operator, options)));
}

async function importKey(operator: Operator, { account, file, name }: Options): Promise<Answer> {
  const credential = (await readFile(file, 'utf8').catch(refuseFile)).trim();
  if (!mayBeLegacyKey(credential))
    throw new Failure(
      `${file} does not hold a legacy key. ` +
        'A legacy key is one line of 16 to 256 printable characters without spaces, and not a Cubby key.',
    );
  const { key, wasImported } = await operator.onStores(async (stores) => {
    await findAccount(stores, account);
    return importLegacyKey(stores, { accountId: account, name, credential, by: operator.actor });
  });
  return {
    json: { key_id: key.id, account_id: key.accountId, name: key.name, imported: !wasImported },
    text: wasImported
      ? `The key was already imported, as "${key.name}". Nothing changed.`
      : `The key is imported as "${key.name}", with key id ${key.id}. It works at once, also on a running server.`,
  };
}

function refuseFile(error: NodeJS.ErrnoException): never {
  throw new Failure(`The key file cannot be read: ${error.message}.`);
}
