import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

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

/** Variables of features that this version does not have. A default that says "off" is no problem. */
const later: Readonly<Record<string, readonly string[]>> = {
  CUBBY_WORKERS: ['1'],
  CUBBY_DATABASE_URL: [],
  CUBBY_BLOBS_URL: [],
  CUBBY_AI_UPSTREAM_URL: [],
  CUBBY_AI_UPSTREAM_KEY: [],
  CUBBY_AI_UPSTREAM_MODEL: [],
  CUBBY_AI_MODEL_FILE: [],
  CUBBY_AI_DEV_RESPONDER: [],
  CUBBY_AI_MAX_CONCURRENT: [],
  CUBBY_AI_DAILY_TOKENS: [],
  CUBBY_SEARCH_URL: [],
  CUBBY_CDN_PURGE_URL: [],
};

const known = new Set([
  ...Object.keys(later),
  'CUBBY_DATA_DIR',
  'CUBBY_HOST',
  'CUBBY_API_PORT',
  'CUBBY_FILES_PORT',
  'CUBBY_PUBLIC_PORT',
  'CUBBY_S3_PORT',
  'CUBBY_BASE_URL',
  'CUBBY_API_URL',
  'CUBBY_FILES_URL',
  'CUBBY_PUBLIC_URL',
  'CUBBY_S3_URL',
  'CUBBY_MASTER_KEY',
  'CUBBY_MASTER_KEY_FILE',
  'CUBBY_RATE_LIMITS',
  'CUBBY_TRUSTED_PROXIES',
  'CUBBY_LOG',
  // Read by other programs of this project than the server.
  'CUBBY_MOCK_PORT',
  'CUBBY_TEST_LONG',
]);

const minMasterKeyLength = 32;

/**
 * Reads the configuration from the environment; nothing else reads it.
 *
 * @throws {ConfigProblems} with every problem at once
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const text = (name: string) => env[name]?.trim() || undefined;

  for (const name of Object.keys(env)) {
    if (name.startsWith('CUBBY_') && !known.has(name)) problems.push(`${name} is no variable of Cubby. See "Configuration" in docs/operating.md.`);
  }
  for (const [name, harmless] of Object.entries(later)) {
    const value = text(name);
    if (value !== undefined && !harmless.includes(value)) problems.push(`${name} is set, but this version of Cubby does not have that feature yet. Unset it.`);
  }

  const port = (name: string, standard: number): number => {
    const value = text(name);
    if (value === undefined) return standard;
    const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : NaN;
    if (number >= 0 && number <= 65_535) return number;
    problems.push(`${name} is "${value}", but must be a port number from 0 to 65535.`);
    return standard;
  };
  const url = (name: string): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed && ['http:', 'https:'].includes(parsed.protocol) && !parsed.search && !parsed.hash && !parsed.username) return value.replace(/\/+$/, '');
    problems.push(`${name} is "${value}", but must be an http or https address such as https://files.example.com.`);
    return undefined;
  };
  const oneOf = <T extends string>(name: string, choices: readonly T[], standard: T): T => {
    const value = text(name);
    if (value === undefined) return standard;
    if ((choices as readonly string[]).includes(value)) return value as T;
    problems.push(`${name} is "${value}", but must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`);
    return standard;
  };

  const config: Config = {
    dataDir: resolve(text('CUBBY_DATA_DIR') ?? './data'),
    host: text('CUBBY_HOST') ?? '127.0.0.1',
    ports: {
      api: port('CUBBY_API_PORT', 7400),
      files: port('CUBBY_FILES_PORT', 7401),
      public: port('CUBBY_PUBLIC_PORT', 7402),
      s3: port('CUBBY_S3_PORT', 7403),
    },
    urls: {
      base: url('CUBBY_BASE_URL'),
      api: url('CUBBY_API_URL'),
      files: url('CUBBY_FILES_URL'),
      public: url('CUBBY_PUBLIC_URL'),
      s3: url('CUBBY_S3_URL'),
    },
    masterKey: masterKey(text('CUBBY_MASTER_KEY'), text('CUBBY_MASTER_KEY_FILE'), problems),
    rateLimits: oneOf('CUBBY_RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    trustedProxies: trustedProxies(text('CUBBY_TRUSTED_PROXIES'), problems),
    logLevel: oneOf('CUBBY_LOG', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
  sharedPorts(config, problems);
  if (problems.length > 0) throw new ConfigProblems(problems);
  return config;
}

function masterKey(inline: string | undefined, file: string | undefined, problems: string[]): string | undefined {
  if (inline !== undefined && file !== undefined) problems.push('CUBBY_MASTER_KEY and CUBBY_MASTER_KEY_FILE are both set. Keep one of them.');
  let key = inline;
  if (file !== undefined) {
    try {
      key = readFileSync(file, 'utf8').trim();
    } catch (error) {
      problems.push(`CUBBY_MASTER_KEY_FILE cannot be read: ${(error as Error).message}.`);
      return undefined;
    }
  }
  if (key !== undefined && key.length < minMasterKeyLength) {
    problems.push(`The master key has ${key.length} characters, but must have at least ${minMasterKeyLength}. "openssl rand -hex 32" makes a good one.`);
  }
  return key;
}

function trustedProxies(list: string | undefined, problems: string[]): readonly string[] {
  const entries = (list ?? '').split(',').map((entry) => entry.trim()).filter(Boolean);
  const form = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F:.]+(\/[0-9]{1,3})?)$/;
  for (const entry of entries) {
    if (!form.test(entry)) problems.push(`CUBBY_TRUSTED_PROXIES names "${entry}", which is no address, network, loopback, linklocal or uniquelocal.`);
  }
  return entries;
}

/** Doors can share a port only when the Host header can tell them apart. */
function sharedPorts({ ports, urls }: Config, problems: string[]): void {
  for (const [index, one] of doorNames.entries()) {
    for (const other of doorNames.slice(index + 1)) {
      if (ports[one] === 0 || ports[one] !== ports[other]) continue;
      const [a, b] = [urls[one], urls[other]];
      if (a === undefined || b === undefined || new URL(a).hostname === new URL(b).hostname) {
        problems.push(
          `The ${one} and the ${other} door share port ${ports[one]}, so CUBBY_${one.toUpperCase()}_URL and CUBBY_${other.toUpperCase()}_URL must name two different hosts.`,
        );
      }
    }
  }
}
