import type { Command } from 'commander';

import { finishKeyEncryptionKeyRotation, rotateKey } from '#server/domain/encryption/rotate-key.ts';
import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';
import { readKeyFile } from '../key-file.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';

interface Options {
  readonly newKeyFile?: string;
  readonly finish?: boolean;
}

const about = `change the key-encryption key, while servers run

1. cubby key-encryption-key rotate --new-key-file FILE
   Servers go on with the old key, and start with either.
2. Set CUBBY_KEY_ENCRYPTION_KEY, or its file, to the new key, and restart all
   servers.
3. cubby key-encryption-key rotate --finish
   From then on, no server starts with the old key.

No bytes of files are written. Keep the old key as long as backups from before
the first step are kept.`;

export function addKeyEncryptionKeyRotate(keys: Command, operator: Operator): void {
  keys
    .command('rotate')
    .summary('change the key, while servers run')
    .description(about)
    .option('--new-key-file <file>', 'a file with the new key, of 32 characters or more')
    .option('--finish', 'the new key is in use: let the old one open nothing any more')
    .action(async (options: Options, command: Command) => {
      const { newKeyFile, finish = false } = options;
      if ((newKeyFile === undefined) !== finish) command.error('error: name either --new-key-file or --finish');
      operator.print(await operator.onStores((stores) => rotate(operator, stores, newKeyFile)), command);
    });
}

async function rotate(operator: Operator, stores: Stores, newKeyFile: string | undefined): Promise<Answer> {
  const current = stores.encryption.key;
  if (!current)
    throw new Failure(
      'There is no key-encryption key, so no bytes are encrypted. Set CUBBY_KEY_ENCRYPTION_KEY, or run this ' +
        'command with the environment of the server.',
    );
  return newKeyFile === undefined
    ? finished(await finishKeyEncryptionKeyRotation(stores, { current, by: operator.actor }))
    : begun(await rotateKey(stores, { current, next: await keyIn(newKeyFile), by: operator.actor }));
}

async function keyIn(path: string): Promise<KeyEncryptionKey> {
  const { keyEncryptionKey } = await import('#server/stores/open.ts');
  return keyEncryptionKey(await readKeyFile(path));
}

function begun({ wrappedRoots, newRootId }: Awaited<ReturnType<typeof rotateKey>>): Answer {
  return {
    json: { wrapped_roots: wrappedRoots, new_root: newRootId },
    text:
      'Both keys open all files now, and new files are encrypted with a new root key. ' +
      ('Set CUBBY_KEY_ENCRYPTION_KEY, or its file, to the new key and restart all servers. Then run this command ' +
        'with --finish.'),
  };
}

function finished(removed: number): Answer {
  const text =
    removed === 0
      ? 'Only the key in use opens files already. Nothing was changed.'
      : 'From now on, only the key in use opens files. Keep the old one as long as backups from its time are kept.';
  return { json: { removed_wraps: removed }, text };
}
