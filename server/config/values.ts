import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** Kubernetes sets these in every pod of a namespace with a service named cubby. */
const serviceLink = /^CUBBY_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_[0-9]+_\w+)$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables of the environment and collects their problems. */
export class Reader {
  readonly problems: string[] = [];
  /** What the operator sees of each variable: what is in force, never a secret. */
  readonly shown = new Map<string, string>();
  readonly #env: Environment;
  readonly #refused = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Returns the value without surrounding spaces. An empty variable counts as not set. */
  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }

  /** Returns the entries of a list joined by commas. */
  list(name: string): string[] {
    return (this.text(name)?.split(',') ?? []).map((entry) => entry.trim());
  }

  /**
   * Returns the parsed value, or `standard` if the variable is not set.
   *
   * @param parse returns undefined for a value that is not allowed, which is noted as a problem
   * @param mustBe the allowed values, for people
   */
  parsed<T, S>(name: string, standard: S, mustBe: string, parse: (value: string) => T | undefined): T | S {
    const value = this.text(name);
    if (value === undefined) return standard;
    const parsed = parse(value);
    if (parsed === undefined) this.refuse(name, `${name} is ${quoted(value)}, but must be ${mustBe}.`);
    return parsed ?? standard;
  }

  /** Notes what the operator sees of a variable: the value, or "none", if there is no other text. Returns the value. */
  show<T>(name: string, value: T, text = String(value ?? 'none')): T {
    this.shown.set(name, text);
    return value;
  }

  /** Notes only whether a secret is set. */
  hide(name: string, secret: string | undefined): void {
    this.show(name, secret, secret === undefined ? 'none' : 'set, not shown');
  }

  /** Notes a problem of a variable. The text is printed and logged, so it must not contain a secret. */
  refuse(name: string, problem: string): void {
    this.#refused.add(name);
    this.problems.push(problem);
  }

  isRefused(name: string): boolean {
    return this.#refused.has(name);
  }

  /**
   * Notes variables that Cubby does not have. Their values are not shown, because they may be secrets.
   */
  refuseUnknown(known: readonly string[]): void {
    for (const name of Object.keys(this.#env).sort()) {
      if (!name.startsWith('CUBBY_') || known.includes(name) || serviceLink.test(name)) continue;
      this.refuse(name, `${name} is not a variable of Cubby. See docs/operating/configuration.md.`);
    }
  }
}

/** Formats a value for a problem: on one line, and not too long. */
export function quoted(value: string): string {
  return `"${value.replace(/\p{Cc}/gu, '?').slice(0, 100)}"`;
}

const anotherFolder = 'Set it to a folder on a disk of this machine.';

/** Returns the data folder as an absolute path. */
export function dataDir(reader: Reader): string {
  const path = resolve(reader.text('CUBBY_DATA_DIR') ?? './data');
  const refuse = (why: string) =>
    reader.refuse('CUBBY_DATA_DIR', `CUBBY_DATA_DIR is ${quoted(path)}, which ${why}. ${anotherFolder}`);
  // Its permissions are checked when it is used, but a file in its place can be named now.
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) refuse('is a file and not a folder');
  } catch (error) {
    refuse(`cannot be reached (${(error as NodeJS.ErrnoException).code})`);
  }
  return reader.show('CUBBY_DATA_DIR', path);
}

/** Returns the address to listen on. */
export function host(reader: Reader, name: string): string {
  const mustBe = 'an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, without a port';
  const parse = (value: string) => (isHostName(value) || isIP(value) !== 0 ? value : undefined);
  return reader.show(name, reader.parsed(name, '127.0.0.1', mustBe, parse));
}

function isHostName(value: string): boolean {
  return (
    /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(value) &&
    !/^[0-9.]+$/.test(value)
  );
}

/** Returns host names in lower case. */
export function hostNames(reader: Reader, name: string): readonly string[] {
  const names = reader.list(name).filter(Boolean);
  for (const one of names.filter((value) => !isHostName(value)))
    reader.refuse(
      name,
      `${name} names ${quoted(one)}, which is not a host name such as cubby or ops.example.com, without a port.`,
    );
  const lower = names.map((one) => one.toLowerCase());
  return reader.show(name, lower, lower.join(', ') || 'none');
}

/** Returns a port number; 0 means a free one. */
export function port(reader: Reader, name: string, standard: number): number {
  const value = wholeNumber(reader, name, { standard, most: 65_535, noun: 'a port number' });
  return value === 0 ? reader.show(name, value, '0 (a free port)') : value;
}

/** Returns an address of the server for clients, without a trailing slash. */
export function url(reader: Reader, name: string): string | undefined {
  const value = reader.text(name);
  if (value === undefined) return undefined;
  // A value that cannot be parsed may contain a password too.
  const shown = value.includes('@') ? 'set' : quoted(value);
  return addressOf(reader, name, value, {
    onPassword: 'Clients would see them: leave them out.',
    problem: `is ${shown}, but must be an http or https address such as https://files.example.com.`,
  });
}

/** Returns an address that Cubby calls. It may contain a secret after its host, so only that is shown. */
export function hookUrl(reader: Reader, name: string): string | undefined {
  const value = reader.text(name);
  if (value === undefined) return reader.show(name, undefined);
  const parsed = URL.parse(value);
  if (parsed && /^https?:\/\//i.test(value) && !parsed.hash && isPercentEncoded(parsed.username + parsed.password))
    return reader.show(name, parsed.href, `${parsed.origin}, the rest not shown`);
  reader.show(name, undefined);
  reader.refuse(
    name,
    `${name} is set, but must be an http or https address such as https://cdn-relay.example.com/purge, without a "#".`,
  );
  return undefined;
}

/**
 * Returns an address that Cubby calls, without a trailing slash. It is shown in the configuration, so parts that may
 * contain a secret are not allowed. A rejected value is not shown, because it may be a secret.
 *
 * @param value one entry of the variable
 */
export function calledUrl(reader: Reader, name: string, value: string, example: string): string | undefined {
  return addressOf(reader, name, value, {
    onPassword: 'Leave them out.',
    problem: `is set, but must be an http or https address such as ${example}, without "?" and "#".`,
  });
}

function addressOf(
  reader: Reader,
  name: string,
  value: string,
  { onPassword, problem }: { readonly onPassword: string; readonly problem: string },
): string | undefined {
  const parsed = plainAddress(value);
  if (typeof parsed === 'string') return parsed;
  reader.refuse(
    name,
    parsed.hasPassword ? `${name} carries a user name or a password. ${onPassword}` : `${name} ${problem}`,
  );
  return undefined;
}

/** Returns an http or https address without a trailing slash, or why it is none that can be shown. */
export function plainAddress(value: string): string | { readonly hasPassword: boolean } {
  const parsed = URL.parse(value);
  if (parsed && !parsed.username && !parsed.password && /^https?:\/\/[^?#]*$/i.test(value))
    return parsed.origin + parsed.pathname.replace(/(?<!\/)\/+$/, '');
  return { hasPassword: Boolean(parsed?.username || parsed?.password) };
}

/** The bounds of a whole number, and what it is without its variable. */
interface WholeNumber<S> {
  readonly standard: S;
  readonly least?: number;
  readonly most: number;
  /** What it counts, for people. */
  readonly noun?: string;
}

/** Returns a whole number within bounds. The least one is 0 by default. */
export function wholeNumber<S>(
  reader: Reader,
  name: string,
  { standard, least = 0, most, noun = 'a whole number' }: WholeNumber<S>,
): number | S {
  const parsed = reader.parsed(name, standard, `${noun} from ${least} to ${most}`, (value) => {
    const number = /^[0-9]{1,16}$/.test(value) ? Number(value) : NaN;
    return number >= least && number <= most ? number : undefined;
  });
  return reader.show(name, parsed);
}

/** Bytes in the units that people use, by 1000 and by 1024. */
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

/** Reads a size as people write it: `10GB`, `500 GiB`, `1048576`. Returns undefined for any other text. */
export function parseSize(text: string): number | undefined {
  const [, number, unit = ''] = /^([0-9]{1,16})\s*([a-z]*)$/i.exec(text) ?? [];
  const bytes = Number(number) * (units[unit.toLowerCase()] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/**
 * Returns a size in bytes, from 0; null if the variable is not set.
 *
 * @param standard what the operator sees then
 */
export function sizeInBytes(reader: Reader, name: string, standard: string): number | null {
  const bytes = reader.parsed(name, null, 'a size such as 256MiB, 1GB or 1048576', parseSize);
  return reader.show(name, bytes, String(bytes ?? standard));
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns one of several words. */
export function oneOf<T extends string>(reader: Reader, name: string, choices: readonly T[], standard: T): T {
  const mustBe = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return reader.show(
    name,
    reader.parsed(name, standard, mustBe, (value) => choices.find((one) => one === value)),
  );
}

/** Returns whether a variable is `on` or `off`. */
export function isOn(reader: Reader, name: string, standard: 'on' | 'off'): boolean {
  return oneOf(reader, name, ['on', 'off'], standard) === 'on';
}

/** Returns addresses, networks and names. */
export function trustedProxies(reader: Reader): readonly string[] {
  const name = 'CUBBY_TRUSTED_PROXIES';
  const entries = reader.list(name).filter(Boolean);
  for (const entry of entries.filter((one) => !isProxy(one)))
    reader.refuse(
      name,
      `${name} names ${quoted(entry)}, which is not an address, network, loopback, linklocal or uniquelocal.`,
    );
  return reader.show(name, entries, entries.join(', ') || 'none');
}

/**
 * Whether an entry is like `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`, or a name. `/0` is not allowed: it would let every
 * client choose its address.
 */
function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [, address = '', bits] = /^([0-9a-fA-F:.]+)(?:\/([1-9][0-9]{0,2}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const isMapped = version === 6 && address.includes('.');
  return bits === undefined || (!isMapped && Number(bits) <= (version === 4 ? 32 : 128));
}
