import { fileURLToPath } from 'node:url';

import { Failure, type Environment } from '../operator.ts';

const forms =
  'sqlite: or postgres://… for the rows, files: or s3://… for the larger files, file:FOLDER for a data folder with both';

/**
 * Returns the environment of a server whose store is where the addresses say. What no address names stays as it is in
 * `env`.
 */
export function environmentOf(env: Environment, addresses: readonly string[]): Environment {
  const changed: Record<string, string | undefined> = { ...env };
  for (const address of addresses) {
    const scheme = /^([a-z0-9]+):/.exec(address)?.[1];
    switch (scheme) {
      case 'postgres':
      case 'postgresql':
        changed.CUBBY_DATABASE_URL = address;
        break;
      case 's3':
        changed.CUBBY_BLOBS_URL = address;
        break;
      case 'sqlite':
      case 'files':
        if (address !== `${scheme}:`)
          throw new Failure(
            `"${scheme}:" means the data folder, so nothing follows it. To name a folder, use file:FOLDER.`,
          );
        if (scheme === 'sqlite') withoutDatabase(changed);
        else withoutBucket(changed);
        break;
      case 'file':
        changed.CUBBY_DATA_DIR = folderOf(address);
        withoutDatabase(changed);
        withoutBucket(changed);
        break;
      default:
        // A value without a known scheme may contain a password.
        throw new Failure(`An address has another form than those that are understood: ${forms}.`);
    }
  }
  return changed;
}

function folderOf(address: string): string {
  return address.startsWith('file://') ? fileURLToPath(address) : address.slice('file:'.length);
}

/** The password and the keys belong to what they are removed with. */
function withoutDatabase(env: Record<string, string | undefined>): void {
  remove(env, ['CUBBY_DATABASE_URL', 'CUBBY_DATABASE_PASSWORD_FILE']);
}

function withoutBucket(env: Record<string, string | undefined>): void {
  const key = ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].flatMap((name) => [
    `CUBBY_BLOBS_${name}`,
    `CUBBY_BLOBS_${name}_FILE`,
  ]);
  remove(env, ['CUBBY_BLOBS_URL', 'CUBBY_BLOBS_REDIRECT', ...key]);
}

function remove(env: Record<string, string | undefined>, names: readonly string[]): void {
  for (const name of names) delete env[name];
}
