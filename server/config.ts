import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';

export const doorNames = ['api', 'files', 'public', 's3'] as const;

/** The front doors, each with a port of its own. */
export type DoorName = (typeof doorNames)[number];

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Addresses that clients see, without a trailing slash; `undefined` means `http://localhost:<port>`. */
export interface ConfiguredUrls {
  /** `/v1` */
  readonly base: string | undefined;
  /** `/v2` */
  readonly api: string | undefined;
  readonly files: string | undefined;
  readonly public: string | undefined;
  readonly s3: string | undefined;
}

export interface Config {
  /** Absolute path. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly ports: Readonly<Record<DoorName, number>>;
  readonly urls: ConfiguredUrls;
  /** The operator's own master key; without one the key in the data folder is used. */
  readonly masterKey: string | undefined;
  readonly rateLimits: boolean;
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
}

/** Everything that is wrong with the environment, at once; each problem is one line for people. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
    this.name = 'ConfigProblems';
    this.problems = problems;
  }
}

/** One variable as an operator sees it; a secret is named, never shown. */
export interface Setting {
  readonly name: string;
  /** What is in force; `null` where the given value is refused. */
  readonly value: string | null;
  readonly source: 'default' | 'environment';
}

/** A look at the environment that does not throw. */
export interface CheckedConfig {
  /** What a server would run with; `undefined` when there are problems. */
  readonly config: Config | undefined;
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
}

/** Variables of features that this version does not have, each with the values that ask for nothing. */
const later: Readonly<Record<string, readonly string[]>> = {
  CUBBY_WORKERS: ['1'],
  CUBBY_DATABASE_URL: [],
  CUBBY_BLOBS_URL: [],
  CUBBY_AI_UPSTREAM_URL: [],
  CUBBY_AI_UPSTREAM_KEY: [],
  CUBBY_AI_UPSTREAM_MODEL: [],
  CUBBY_AI_MODEL_FILE: [],
  CUBBY_AI_DEV_RESPONDER: ['off'],
  CUBBY_AI_MAX_CONCURRENT: [],
  CUBBY_AI_DAILY_TOKENS: [],
  CUBBY_SEARCH_URL: [],
  CUBBY_CDN_PURGE_URL: [],
};

/** Not the server's own: the mock reads the first, the tests the second, and the documentation's shell lines the third. */
const elsewhere = ['CUBBY_MOCK_PORT', 'CUBBY_TEST_LONG', 'CUBBY_KEY'];

const minMasterKeyLength = 32;

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];

/**
 * Reads the configuration from the environment; nothing else reads it.
 *
 * @throws {ConfigProblems} with every problem at once
 */
export function parseConfig(env: Environment): Config {
  const { config, problems } = checkConfig(env);
  if (!config) throw new ConfigProblems(problems);
  return config;
}

/** Reads the configuration as `parseConfig()` does, and also tells what is in force and where it comes from. */
export function checkConfig(env: Environment): CheckedConfig {
  const reader = new Reader(env);
  const config: Config = {
    dataDir: dataDir(reader),
    host: host(reader),
    ports: {
      api: port(reader, 'CUBBY_API_PORT', 7400),
      files: port(reader, 'CUBBY_FILES_PORT', 7401),
      public: port(reader, 'CUBBY_PUBLIC_PORT', 7402),
      s3: port(reader, 'CUBBY_S3_PORT', 7403),
    },
    urls: {
      base: url(reader, 'CUBBY_BASE_URL'),
      api: url(reader, 'CUBBY_API_URL'),
      files: url(reader, 'CUBBY_FILES_URL'),
      public: url(reader, 'CUBBY_PUBLIC_URL'),
      s3: url(reader, 'CUBBY_S3_URL'),
    },
    masterKey: masterKey(reader),
    rateLimits: oneOf(reader, 'CUBBY_RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    trustedProxies: trustedProxies(reader),
    logLevel: oneOf(reader, 'CUBBY_LOG', logLevels, 'info'),
  };
  refuseSharedPorts(reader, config);
  const settings = settingsOf(reader, config);
  reader.refuseUnknown([...settings.map(({ name }) => name), 'CUBBY_MASTER_KEY_FILE', ...elsewhere]);
  const { problems } = reader;
  return { config: problems.length === 0 ? config : undefined, settings, problems };
}

/** What Kubernetes sets in every pod of a namespace that has a service called cubby: not ours, and no slip of anyone's. */
const serviceLink = /^CUBBY_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_[0-9]+_\w+)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment, and what was found wrong with it so far. */
class Reader {
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

  /** The values of these variables are not shown: whatever they are, they may be secrets. */
  refuseUnknown(known: readonly string[]): void {
    for (const name of Object.keys(this.#env).sort()) {
      const harmless = later[name];
      if (harmless) {
        const value = this.text(name);
        if (value !== undefined && !harmless.includes(value)) this.refuse(name, `${name} is set, but this version of Cubby does not have that feature yet. Unset it.`);
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

function dataDir(reader: Reader): string {
  const path = resolve(reader.text('CUBBY_DATA_DIR') ?? './data');
  // Whether it can be written shows when it is used; a file in its place is a slip that can be named now.
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return path;
    reader.refuse('CUBBY_DATA_DIR', `CUBBY_DATA_DIR is ${quoted(path)}, which is a file and no folder.`);
  } catch (error) {
    reader.refuse('CUBBY_DATA_DIR', `CUBBY_DATA_DIR is ${quoted(path)}, which cannot be reached (${(error as NodeJS.ErrnoException).code}).`);
  }
  return path;
}

function host(reader: Reader): string {
  const value = reader.text('CUBBY_HOST') ?? '127.0.0.1';
  const isName = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(value) && !/^[0-9.]+$/.test(value);
  if (!isName && isIP(value) === 0) {
    reader.refuse('CUBBY_HOST', `CUBBY_HOST is ${quoted(value)}, but must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, without a port.`);
  }
  return value;
}

function port(reader: Reader, name: string, standard: number): number {
  const value = reader.text(name);
  if (value === undefined) return standard;
  const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : NaN;
  if (number <= 65_535) return number;
  reader.refuse(name, `${name} is ${quoted(value)}, but must be a port number from 0 to 65535.`);
  return standard;
}

function url(reader: Reader, name: string): string | undefined {
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
    return parsed.origin + parsed.pathname.replace(/\/+$/, '');
  }
  return undefined;
}

function oneOf<T extends string>(reader: Reader, name: string, choices: readonly T[], standard: T): T {
  const value = reader.text(name);
  if (value === undefined) return standard;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  reader.refuse(name, `${name} is ${quoted(value)}, but must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`);
  return standard;
}

function masterKey(reader: Reader): string | undefined {
  const inline = reader.text('CUBBY_MASTER_KEY');
  const file = reader.text('CUBBY_MASTER_KEY_FILE');
  if (inline !== undefined && file !== undefined) reader.refuse('CUBBY_MASTER_KEY', 'CUBBY_MASTER_KEY and CUBBY_MASTER_KEY_FILE are both set. Keep one of them.');
  const key = file === undefined ? inline : fileText(reader, file);
  if (key !== undefined && key.length < minMasterKeyLength) {
    reader.refuse('CUBBY_MASTER_KEY', `The master key has ${key.length} characters, but must have at least ${minMasterKeyLength}. "openssl rand -hex 32" makes a good one.`);
  }
  return key;
}

/** Neither the path nor the system's own message is shown: somebody may have put the key itself there. */
function fileText(reader: Reader, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    reader.refuse('CUBBY_MASTER_KEY', `CUBBY_MASTER_KEY_FILE must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
    return undefined;
  }
}

function trustedProxies(reader: Reader): readonly string[] {
  const entries = (reader.text('CUBBY_TRUSTED_PROXIES') ?? '').split(',').map((entry) => entry.trim()).filter(Boolean);
  for (const entry of entries) {
    if (!isProxy(entry)) {
      reader.refuse('CUBBY_TRUSTED_PROXIES', `CUBBY_TRUSTED_PROXIES names ${quoted(entry)}, which is no address, network, loopback, linklocal or uniquelocal.`);
    }
  }
  return entries;
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`, or a name. Trusting the whole world (`/0`) would let every client choose its address. */
function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [, address = '', bits] = /^([0-9a-fA-F:.]+)(?:\/([1-9][0-9]{0,2}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const isMapped = version === 6 && address.includes('.');
  return bits === undefined || (!isMapped && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Doors can share a port only when the Host header can tell them apart. */
function refuseSharedPorts(reader: Reader, { ports, urls }: Config): void {
  for (const [index, one] of doorNames.entries()) {
    for (const other of doorNames.slice(index + 1)) {
      if (ports[one] === 0 || ports[one] !== ports[other]) continue;
      const [a, b] = [urls[one], urls[other]];
      if (a !== undefined && b !== undefined && new URL(a).hostname !== new URL(b).hostname) continue;
      const [nameOfOne, nameOfOther] = [one.toUpperCase(), other.toUpperCase()];
      reader.refuse(
        `CUBBY_${nameOfOther}_PORT`,
        `The ${one} and the ${other} door share port ${ports[one]}, so CUBBY_${nameOfOne}_URL and CUBBY_${nameOfOther}_URL must name two different hosts.`,
      );
    }
  }
}

function settingsOf(reader: Reader, config: Config): Setting[] {
  const { ports, urls } = config;
  const local = (door: DoorName) => (ports[door] === 0 ? 'http://localhost:<the free port>' : `http://localhost:${ports[door]}`);
  const shown: Readonly<Record<string, string>> = {
    CUBBY_DATA_DIR: config.dataDir,
    CUBBY_HOST: config.host,
    ...Object.fromEntries(doorNames.map((door) => [`CUBBY_${door.toUpperCase()}_PORT`, ports[door] === 0 ? '0 (a free port)' : String(ports[door])])),
    CUBBY_BASE_URL: urls.base ?? urls.api ?? local('api'),
    ...Object.fromEntries(doorNames.map((door) => [`CUBBY_${door.toUpperCase()}_URL`, urls[door] ?? local(door)])),
    CUBBY_MASTER_KEY: config.masterKey === undefined ? `in ${join(config.dataDir, 'master.key')}` : 'set, not shown',
    CUBBY_RATE_LIMITS: config.rateLimits ? 'on' : 'off',
    CUBBY_TRUSTED_PROXIES: config.trustedProxies.join(', ') || 'none',
    CUBBY_LOG: config.logLevel,
  };
  return Object.entries(shown).map(([name, value]) => {
    const isSet = reader.text(name) !== undefined || (name === 'CUBBY_MASTER_KEY' && reader.text('CUBBY_MASTER_KEY_FILE') !== undefined);
    return { name, value: reader.isRefused(name) ? null : value, source: isSet ? 'environment' : 'default' };
  });
}
