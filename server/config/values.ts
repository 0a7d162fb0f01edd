import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

const minMasterKeyLength = 32;

/**
 * What Kubernetes sets in every pod of a namespace that has a service called cubby: not ours, and no slip of anyone's.
 */
const serviceLink = /^CUBBY_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_[0-9]+_\w+)$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment, and what was found wrong with it so far. */
export class Reader {
  readonly problems: string[] = [];
  readonly #env: Environment;
  readonly #refused = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** The value without spaces around it; a variable that is empty counts as not set. */
  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }

  /** Notes what is wrong with a variable. What it says is printed and logged, so it must not hold a secret. */
  refuse(name: string, problem: string): void {
    this.#refused.add(name);
    this.problems.push(problem);
  }

  isRefused(name: string): boolean {
    return this.#refused.has(name);
  }

  /**
   * The values of these variables are not shown: whatever they are, they may be secrets.
   *
   * @param later variables of features that are not there yet, each with the values that ask for nothing
   */
  refuseUnknown(known: readonly string[], later: Readonly<Record<string, readonly string[]>>): void {
    for (const name of Object.keys(this.#env).sort()) {
      const harmless = later[name];
      if (harmless) {
        const value = this.text(name);
        if (value !== undefined && !harmless.includes(value))
          this.refuse(name, `${name} is set, but this version of Cubby does not have that feature yet. Unset it.`);
      } else if (name.startsWith('CUBBY_') && !known.includes(name) && !serviceLink.test(name)) {
        this.refuse(name, `${name} is no variable of Cubby. See "Configuration" in docs/operating.md.`);
      }
    }
  }
}

/** A value as a problem names it: on one line, and not too long. */
function quoted(value: string): string {
  return `"${value.replace(/\p{Cc}/gu, '?').slice(0, 100)}"`;
}

/** The data folder as an absolute path. */
export function dataDir(reader: Reader): string {
  const path = resolve(reader.text('CUBBY_DATA_DIR') ?? './data');
  // Whether it can be written shows when it is used; a file in its place is a slip that can be named now.
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return path;
    reader.refuse('CUBBY_DATA_DIR', `CUBBY_DATA_DIR is ${quoted(path)}, which is a file and no folder.`);
  } catch (error) {
    reader.refuse(
      'CUBBY_DATA_DIR',
      `CUBBY_DATA_DIR is ${quoted(path)}, which cannot be reached (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return path;
}

/** An address to listen on. */
export function host(reader: Reader): string {
  const value = reader.text('CUBBY_HOST') ?? '127.0.0.1';
  const isName =
    /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(value) &&
    !/^[0-9.]+$/.test(value);
  if (!isName && isIP(value) === 0) {
    reader.refuse(
      'CUBBY_HOST',
      `CUBBY_HOST is ${quoted(value)}, but must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, without a port.`,
    );
  }
  return value;
}

/** A port number; 0 for a free one. */
export function port(reader: Reader, name: string, standard: number): number {
  const value = reader.text(name);
  if (value === undefined) return standard;
  const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : NaN;
  if (number <= 65_535) return number;
  reader.refuse(name, `${name} is ${quoted(value)}, but must be a port number from 0 to 65535.`);
  return standard;
}

/** An address that clients see, without a trailing slash. */
export function url(reader: Reader, name: string): string | undefined {
  const value = reader.text(name);
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed?.username || parsed?.password) {
    reader.refuse(name, `${name} carries a user name or a password. Clients would see them: leave them out.`);
  } else if (!parsed || !/^https?:\/\//i.test(value) || parsed.search || parsed.hash) {
    // What could not be read may hold a password all the same.
    const shown = value.includes('@') ? 'set' : quoted(value);
    reader.refuse(name, `${name} is ${shown}, but must be an http or https address such as https://files.example.com.`);
  } else {
    return parsed.origin + parsed.pathname.replace(/(?<!\/)\/+$/, '');
  }
  return undefined;
}

/**
 * An address of the operator's own that is called, and may hold a secret anywhere behind its host: it is shown to
 * nobody.
 */
export function hookUrl(reader: Reader, name: string): string | undefined {
  const value = reader.text(name);
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed && /^https?:\/\//i.test(value) && !parsed.hash && isPercentEncoded(parsed.username + parsed.password))
    return parsed.href;
  reader.refuse(
    name,
    `${name} is set, but must be an http or https address such as https://cdn-relay.example.com/purge, without a "#".`,
  );
  return undefined;
}

/**
 * An address of the operator's own that is called, without a trailing slash. It is shown in the configuration, so what
 * may hold a secret is refused; and what is refused is not shown, since it may be one.
 *
 * @param value one entry of the variable
 */
export function calledUrl(reader: Reader, name: string, value: string, example: string): string | undefined {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed?.username || parsed?.password) {
    reader.refuse(name, `${name} carries a user name or a password. Leave them out.`);
  } else if (!parsed || !/^https?:\/\//i.test(value) || /[?#]/.test(value)) {
    reader.refuse(
      name,
      `${name} is set, but must be an http or https address such as ${example}, without "?" and "#".`,
    );
  } else {
    return parsed.origin + parsed.pathname.replace(/(?<!\/)\/+$/, '');
  }
  return undefined;
}

/** A whole number from 1 on; null when the variable is not set. */
export function wholeNumber(reader: Reader, name: string, most: number): number | null {
  const value = reader.text(name);
  if (value === undefined) return null;
  const number = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : NaN;
  if (number <= most) return number;
  reader.refuse(name, `${name} is ${quoted(value)}, but must be a whole number from 1 to ${most}.`);
  return null;
}

/** Bytes in the units that people write: 1000 and 1024 times as many each. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** A size in bytes, from 0 on; null when the variable is not set. */
export function sizeInBytes(reader: Reader, name: string): number | null {
  const value = reader.text(name);
  if (value === undefined) return null;
  const [, number, unit = ''] = /^([0-9]{1,15})\s*([a-z]*)$/i.exec(value) ?? [];
  const bytes = Number(number) * (units[unit.toLowerCase()] ?? NaN);
  if (Number.isSafeInteger(bytes)) return bytes;
  reader.refuse(name, `${name} is ${quoted(value)}, but must be a size such as 256MiB, 1GB or 1048576.`);
  return null;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** One of several words. */
export function oneOf<T extends string>(reader: Reader, name: string, choices: readonly T[], standard: T): T {
  const value = reader.text(name);
  if (value === undefined) return standard;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  reader.refuse(
    name,
    `${name} is ${quoted(value)}, but must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
  );
  return standard;
}

/** Where the operator's own master key comes from. */
export type MasterKeySource = 'CUBBY_MASTER_KEY' | 'CUBBY_MASTER_KEY_FILE';

/** Which variable gives the master key; undefined when it lies in the data folder. */
export function masterKeySource(reader: Reader): MasterKeySource | undefined {
  return (['CUBBY_MASTER_KEY_FILE', 'CUBBY_MASTER_KEY'] as const).find((name) => reader.text(name) !== undefined);
}

/** The operator's own master key, from the variable or a file. */
export function masterKey(reader: Reader): string | undefined {
  const inline = reader.text('CUBBY_MASTER_KEY');
  const file = reader.text('CUBBY_MASTER_KEY_FILE');
  if (inline !== undefined && file !== undefined)
    reader.refuse('CUBBY_MASTER_KEY', 'CUBBY_MASTER_KEY and CUBBY_MASTER_KEY_FILE are both set. Keep one of them.');
  const key = file === undefined ? inline : fileText(reader, file);
  if (key !== undefined && key.length < minMasterKeyLength) {
    reader.refuse(
      'CUBBY_MASTER_KEY',
      `The master key has ${key.length} characters, but must have at least ${minMasterKeyLength}. "openssl rand -hex 32" makes a good one.`,
    );
  }
  return key;
}

/** Neither the path nor the system's own message is shown: somebody may have put the key itself there. */
function fileText(reader: Reader, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    reader.refuse(
      'CUBBY_MASTER_KEY',
      `CUBBY_MASTER_KEY_FILE must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`,
    );
    return undefined;
  }
}

/** Addresses, networks and names, joined by commas. */
export function trustedProxies(reader: Reader): readonly string[] {
  const entries = (reader.text('CUBBY_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  for (const entry of entries) {
    if (!isProxy(entry)) {
      reader.refuse(
        'CUBBY_TRUSTED_PROXIES',
        `CUBBY_TRUSTED_PROXIES names ${quoted(entry)}, which is no address, network, loopback, linklocal or uniquelocal.`,
      );
    }
  }
  return entries;
}

/**
 * `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`, or a name. Trusting the whole world (`/0`) would let every client choose its
 * address.
 */
function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [, address = '', bits] = /^([0-9a-fA-F:.]+)(?:\/([1-9][0-9]{0,2}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const isMapped = version === 6 && address.includes('.');
  return bits === undefined || (!isMapped && Number(bits) <= (version === 4 ? 32 : 128));
}
