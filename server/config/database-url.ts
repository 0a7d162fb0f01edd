import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

import { readSmallText, secretOfFile } from './secret-file.ts';
import type { Reader } from './values.ts';

/** A server of the database. A host that begins with a slash is the folder of a Unix socket. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** The encryption of a connection, in the words of libpq. */
type SslMode = 'disable' | 'require' | 'verify-ca' | 'verify-full';

/** A PostgreSQL database: where it is, and how it is reached. */
export interface DatabaseUrl {
  /** They are tried in this order. */
  readonly hosts: readonly DatabaseHost[];
  readonly database: string;
  readonly user: string;
  /** The password in the address. A password in a file is read for each new connection. */
  readonly password: string | undefined;
  /** A file with nothing but the password. */
  readonly passwordFile: string | undefined;
  /** A password file of libpq, with a line for each server. */
  readonly passFile: string | undefined;
  readonly sslMode: SslMode;
  /** A file with certificates to trust; undefined: those of the system. */
  readonly sslRootCert: string | undefined;
  /** `read-write` skips servers that only read, such as standbys. */
  readonly sessionAttributes: 'any' | 'read-write';
  /** The most connections of one process. */
  readonly poolSize: number;
  readonly applicationName: string;
}

const variable = 'CUBBY_DATABASE_URL';
const passwordVariable = 'CUBBY_DATABASE_PASSWORD_FILE';
const example = 'postgres://cubby@db1.example.com:5432,db2.example.com:5432/cubby?sslmode=verify-full';

/** The parameters that are understood, each with its allowed values for people. */
const parameters = {
  application_name: 'a name of at most 63 letters, digits and ._:-',
  passfile: 'the absolute path of a password file that can be read',
  pool_size: 'a whole number from 4 to 1000',
  sslmode: 'disable, require, verify-ca or verify-full',
  sslrootcert: '"system", or the absolute path of a file with certificates that can be read',
  target_session_attrs: 'any, read-write or primary',
} as const;

type Parameter = keyof typeof parameters;

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const satisfies readonly SslMode[];

/** A value of the address is not allowed. The message has no secret, since it names only the part. */
class NotUnderstood extends Error {}

/**
 * Reads the address of the database; undefined if rows are stored in SQLite.
 *
 * @see https://www.postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.6 for the form of the address
 */
export function databaseUrl(reader: Reader): DatabaseUrl | undefined {
  const url = findUrl(reader);
  reader.show(variable, url, url ? shownDatabase(url) : 'none, rows are in SQLite in the data folder');
  reader.show(passwordVariable, url, shownPassword(url));
  return url;
}

function findUrl(reader: Reader): DatabaseUrl | undefined {
  const value = reader.text(variable);
  const passwordFile = reader.text(passwordVariable);
  if (value === undefined) {
    if (passwordFile !== undefined)
      reader.refuse(passwordVariable, `${passwordVariable} is set, but needs ${variable}: the database it is for.`);
    return undefined;
  }
  try {
    const parsed = parse(value);
    if (passwordFile === undefined) return parsed;
    return withPasswordFile(reader, parsed, passwordFile);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    reader.refuse(variable, `${variable} ${error.message}`);
    return undefined;
  }
}

/** Returns the address for people, without the password. */
export function shownDatabase({ user, hosts, database, sslMode }: DatabaseUrl): string {
  const places = hosts.map(({ host, port }) => `${shownHost(host)}:${port}`).join(',');
  return `postgres://${encodeURIComponent(user)}@${places}/${encodeURIComponent(database)}?sslmode=${sslMode}`;
}

/** Returns where the password is, for people; undefined if there is no database address. */
export function shownPassword(url: DatabaseUrl | undefined): string {
  if (url?.passwordFile !== undefined) return url.passwordFile;
  if (url?.passFile !== undefined) return `none, passfile=${url.passFile} is used`;
  return url?.password === undefined ? 'none' : 'none, the address has the password';
}

function shownHost(host: string): string {
  if (host.startsWith('/')) return encodeURIComponent(host);
  return isIP(host) === 6 ? `[${host}]` : host;
}

function withPasswordFile(reader: Reader, url: DatabaseUrl, passwordFile: string): DatabaseUrl {
  const refuse = (problem: string) => reader.refuse(passwordVariable, `${passwordVariable} ${problem}`);
  if (url.password !== undefined) refuse(`is set, but ${variable} has a password too. Keep one of them.`);
  if (url.passFile !== undefined) refuse(`is set, but ${variable} has "passfile" too. Keep one of them.`);
  if (secretOfFile(reader, passwordVariable, passwordFile) === '') refuse('names an empty file.');
  return { ...url, passwordFile };
}

function parse(value: string): DatabaseUrl {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new NotUnderstood(`must begin with postgres://, as in ${example}.`);
  // The last @ before the path ends the user and the password, so that an unencoded @ is not taken for a host.
  const parts =
    /^\w+:\/\/(?:(?<login>[^/?#]*)@)?(?<places>[^/?#@]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/.exec(value);
  if (!parts?.groups)
    throw new NotUnderstood(
      `is not an address like ${example}. Write "#", "/" and "?" in a password as %23, %2F and %3F.`,
    );
  const { login, places = '', database = '', query = '' } = parts.groups;
  if (login === undefined || login === '' || login.startsWith(':'))
    throw new NotUnderstood(`names no user. Write it before the host, as in ${example}.`);
  const colon = login.indexOf(':');
  const user = decoded(colon < 0 ? login : login.slice(0, colon), 'user');
  const password = colon < 0 ? undefined : decoded(login.slice(colon + 1), 'password') || undefined;
  if (database === '') throw new NotUnderstood(`names no database. Write it behind the host, as in ${example}.`);
  const hosts = places.split(',').map(hostOf);
  const given = parametersOf(query);
  if (password !== undefined && given.passfile !== undefined)
    throw new NotUnderstood('has a password and "passfile". Keep one of them.');
  return {
    hosts,
    database: decoded(database, 'database'),
    user,
    password,
    passwordFile: undefined,
    passFile: given.passfile === undefined ? undefined : readable('passfile', given.passfile),
    ...encryptionOf(hosts, given),
    sessionAttributes: sessionAttributesOf(hosts, given.target_session_attrs),
    poolSize: poolSizeOf(given.pool_size),
    applicationName: applicationNameOf(given.application_name),
  };
}

function hostOf(place: string): DatabaseHost {
  const parts = /^(?:\[(?<six>[0-9a-fA-F:.%]+)\]|(?<name>[^:[\]]+))(?::(?<port>[0-9]{1,5}))?$/.exec(place);
  if (!parts?.groups)
    throw new NotUnderstood(
      `names ${place === '' ? 'no host, or an empty one' : 'a host that is not understood'}. Hosts look like ` +
        'db1.example.com:5432 or [fd00::1]:5432, and commas join several.',
    );
  const { six, name = '', port = '5432' } = parts.groups;
  const host = six ?? decoded(name, 'host');
  if (six !== undefined && isIP(six) !== 6)
    throw new NotUnderstood('names a host in brackets that is not an IPv6 address.');
  if (six === undefined && !host.startsWith('/') && !/^[A-Za-z0-9._-]+$/.test(host))
    throw new NotUnderstood('names a host with characters that no host name has.');
  if (Number(port) < 1 || Number(port) > 65_535)
    throw new NotUnderstood(`names port ${port}, but ports go from 1 to 65535.`);
  return { host, port: Number(port) };
}

function parametersOf(query: string): Partial<Record<Parameter, string>> {
  const given: Partial<Record<Parameter, string>> = {};
  for (const pair of query.split('&').filter(Boolean)) {
    // A secret may have been put here, so only what looks like a name is shown.
    const [, name, value] = /^([a-z_]{1,40})=(.+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new NotUnderstood('has a parameter that is not "name=value".');
    if (!Object.hasOwn(parameters, name))
      throw new NotUnderstood(
        `has the parameter "${name}", which is not understood. Allowed are ${Object.keys(parameters).join(', ')}.`,
      );
    if (given[name as Parameter] !== undefined)
      throw new NotUnderstood(`has the parameter "${name}" twice. Keep one of them.`);
    given[name as Parameter] = decoded(value, name);
  }
  return given;
}

/** Plain text must be requested, unless it stays on this machine. */
function encryptionOf(
  hosts: readonly DatabaseHost[],
  { sslmode, sslrootcert }: Partial<Record<Parameter, string>>,
): Pick<DatabaseUrl, 'sslMode' | 'sslRootCert'> {
  const isLocal = hosts.every(({ host }) => host.startsWith('/') || /^(localhost|127\.[0-9.]+|::1)$/.test(host));
  if (sslmode === undefined && !isLocal)
    throw new NotUnderstood(
      'names another machine, so it must say "sslmode": verify-full, or disable if nobody else can read that network.',
    );
  if (sslmode === 'allow' || sslmode === 'prefer')
    throw new NotUnderstood(`has "sslmode=${sslmode}", which falls back to plain text. Use ${parameters.sslmode}.`);
  const sslMode = sslmode === undefined ? 'disable' : sslModes.find((one) => one === sslmode);
  if (!sslMode) throw mustBe('sslmode');
  if (sslrootcert === undefined || sslrootcert === 'system') return { sslMode, sslRootCert: undefined };
  if (sslMode === 'disable')
    throw new NotUnderstood('has "sslrootcert", which needs "sslmode=verify-full" or "verify-ca".');
  return { sslMode, sslRootCert: readable('sslrootcert', sslrootcert) };
}

/** With several hosts, writes go to the one that takes them. */
function sessionAttributesOf(hosts: readonly DatabaseHost[], value: string | undefined): 'any' | 'read-write' {
  if (value === undefined) return hosts.length > 1 ? 'read-write' : 'any';
  if (value === 'any') return 'any';
  if (value === 'read-write' || value === 'primary') return 'read-write';
  throw mustBe('target_session_attrs');
}

function poolSizeOf(value: string | undefined): number {
  if (value === undefined) return 20;
  if (!/^[0-9]{1,4}$/.test(value) || Number(value) < 4 || Number(value) > 1000) throw mustBe('pool_size');
  return Number(value);
}

function applicationNameOf(value: string | undefined): string {
  if (value === undefined) return 'cubby';
  if (!/^[A-Za-z0-9._:-]{1,63}$/.test(value)) throw mustBe('application_name');
  return value;
}

function readable(name: Parameter, path: string): string {
  if (!isAbsolute(path)) throw mustBe(name);
  try {
    if (readSmallText(path) !== undefined) return path;
  } catch {
    // Told like the file that is too long.
  }
  throw mustBe(name);
}

function mustBe(name: Parameter): NotUnderstood {
  return new NotUnderstood(`has the parameter "${name}", which must be ${parameters[name]}.`);
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotUnderstood(
      `has "%" in its ${part}, which must be followed by two hex digits. Write "%" itself as %25.`,
    );
  }
}
