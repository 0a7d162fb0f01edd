import { readFile } from 'node:fs/promises';

import type { DatabaseHost, DatabaseUrl } from '#server/config/database-url.ts';

/**
 * Returns the password for a server; undefined if there is none. Files are read each time, so that a password can be
 * changed while the server runs.
 *
 * @throws the system's error when a file cannot be read
 */
export async function passwordFor(url: DatabaseUrl, host: DatabaseHost): Promise<string | undefined> {
  if (url.passwordFile !== undefined) return (await readFile(url.passwordFile, 'utf8')).trim();
  if (url.passFile !== undefined) return passwordIn(await readFile(url.passFile, 'utf8'), url, host);
  return url.password;
}

/**
 * Finds a password in a password file: lines of host, port, database, user and password, joined by colons. The first
 * line that fits counts.
 *
 * @see https://www.postgresql.org/docs/15/libpq-pgpass.html
 */
function passwordIn(text: string, { database, user }: DatabaseUrl, { host, port }: DatabaseHost): string | undefined {
  // libpq looks for sockets under this name too.
  const hostNames = host.startsWith('/') ? [host, 'localhost'] : [host];
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [ofHost, ofPort, ofDatabase, ofUser, password] = fieldsOf(line);
    const fits = (field: string | undefined, ...values: string[]) => field === '*' || values.includes(field ?? '');
    if (fits(ofHost, ...hostNames) && fits(ofPort, String(port)) && fits(ofDatabase, database) && fits(ofUser, user))
      return password;
  }
  return undefined;
}

/** A backslash takes the next character as it is. */
function fieldsOf(line: string): string[] {
  const fields = [''];
  for (const [, escaped, character] of line.matchAll(/\\(.)|(.)/gu)) {
    if (character === ':') fields.push('');
    else fields.push(`${fields.pop()}${escaped ?? character}`);
  }
  return fields;
}
