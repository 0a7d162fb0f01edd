import { fileURLToPath } from 'node:url';

import { Failure, type Environment } from '../operator.ts';

const forms =
  'sqlite: or postgres://… for the rows, files: or s3://… for the larger files, file:FOLDER for ' +
  'a data folder with both';

/** The variables with the password of the database, and with the keys of the bucket. */
const ofDatabase = ['CUBBY_DATABASE_PASSWORD_FILE'];
const ofBucket = [
  'CUBBY_BLOBS_REDIRECT',
  ...['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].flatMap((name) => [`CUBBY_BLOBS_${name}`, `CUBBY_BLOBS_${name}_FILE`]),
];

/**
 * Returns the environments of servers over the source and the target of a move. What no address names stays as it is in
 * `env`, and for the target as it is at the source. Passwords and keys in `env` are those of the side that needs them.
 */
export function environmentsOf(
  env: Environment,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): { readonly from: Environment; readonly to: Environment } {
  const source = addressed(env, from);
  return { from: withoutSpareSecrets(source), to: withoutSpareSecrets(addressed(source, to)) };
}

/** A server refuses a password without its database, and keys without their bucket. */
function withoutSpareSecrets(env: Environment): Environment {
  const spare = [...(env.CUBBY_DATABASE_URL ? [] : ofDatabase), ...(env.CUBBY_BLOBS_URL ? [] : ofBucket)];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !spare.includes(name)));
}

function addressed(env: Environment, addresses: readonly string[]): Environment {
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
        delete changed[scheme === 'sqlite' ? 'CUBBY_DATABASE_URL' : 'CUBBY_BLOBS_URL'];
        break;
      case 'file':
        changed.CUBBY_DATA_DIR = folderOf(address);
        delete changed.CUBBY_DATABASE_URL;
        delete changed.CUBBY_BLOBS_URL;
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
