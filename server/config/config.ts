import { join } from 'node:path';

import { NeedsChange } from '#server/needs-change.ts';
import { backupFileVariables, backupPlace, type BackupPlace } from './backup.ts';
import { bucketConfig, bucketFileVariables, type BucketConfig } from './blobs.ts';
import { doorNames, type DoorName } from './door-names.ts';
import { databaseUrl, type DatabaseUrl } from './database-url.ts';
import { telemetryConfig, type TelemetryConfig } from './telemetry.ts';
import { eventsConfig, type EventsConfig } from './events.ts';
import type { FeatureConfigs } from './feature-configs.ts';
import { featureConfigs, switchedOffFeatures } from './features.ts';
import { secretKeyFileVariables, secretKeys, type SecretKeys } from './secret-keys.ts';
import {
  dataDir,
  hookUrl,
  host,
  hostNames,
  isOn,
  oneOf,
  port,
  Reader,
  sizeInBytes,
  trustedProxies,
  url,
  wholeNumber,
  type Environment,
} from './values.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Config extends SecretKeys, FeatureConfigs {
  /** Absolute path. */
  readonly dataDir: string;
  /** The PostgreSQL database with all rows; undefined: they are in SQLite in the data folder. */
  readonly databaseUrl: DatabaseUrl | undefined;
  readonly host: string;
  /** The address of the operator's door alone. */
  readonly operatorHost: string;
  /** Further names of the operator's door, lower case. */
  readonly operatorNames: readonly string[];
  /** Whether the operator's door opens another port if its standard one is taken: nobody named one. */
  readonly mayMoveOperator: boolean;
  /** Whether the API's port serves `/metrics` too. */
  readonly hasPublicMetrics: boolean;
  /** 0 chooses a free port. */
  readonly ports: Readonly<Record<DoorName, number>>;
  /**
   * The server's addresses for clients, without a trailing slash: `base` for `/v1`, `api` for `/v2`. `undefined` means
   * `http://localhost:<port>`.
   */
  readonly urls: Readonly<Record<DoorName | 'base', string | undefined>>;
  readonly rateLimits: boolean;
  /** Processes that share the ports. */
  readonly workers: number;
  /** Whether rows and lists that were read are cached in memory. */
  readonly caches: boolean;
  /** The bucket of the larger files; undefined: they are files in the data folder. */
  readonly bucket: BucketConfig | undefined;
  /** Where `backup` writes to by default, and where the scrub finds the bytes of damaged files. */
  readonly backup: BackupPlace | undefined;
  /** In so many days the scrub reads every byte once; 0: never. */
  readonly scrubDays: number;
  readonly events: EventsConfig;
  /** The names of the features that are switched off. */
  readonly featuresOff: ReadonlySet<string>;
  /** Space to leave free on the disk of the data folder; null: it depends on the disk. */
  readonly minFreeBytes: number | null;
  /** Memory for cached rows of SQLite; null: it depends on the machine. */
  readonly rowCacheBytes: number | null;
  /** The most bytes of request bodies that each process has in memory. */
  readonly bodyMemoryBytes: number;
  readonly trustedProxies: readonly string[];
  /** The CDN hook: called with the public URLs to purge. It may contain a secret. */
  readonly cdnPurgeUrl: string | undefined;
  readonly logLevel: LogLevel;
  /** Undefined: nothing is traced. */
  readonly telemetry: TelemetryConfig | undefined;
  /** All settings, for people. Secrets are not shown. */
  readonly settings: readonly Setting[];
}

/** All problems of the environment. Each is one line for people. */
export class ConfigProblems extends NeedsChange {
  override readonly name = 'ConfigProblems';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(`The configuration has ${count}:${problems.map((one) => `\n  - ${one}`).join('')}`);
    this.problems = problems;
  }
}

/** A variable for the operator. Secrets are not shown. */
interface Setting {
  readonly name: string;
  /** The value in force; `null` if the given value is not valid. */
  readonly value: string | null;
  readonly source: 'default' | 'environment';
}

interface CheckedConfig {
  /** The configuration in force; `undefined` if there are problems. */
  readonly config: Config | undefined;
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
}

/** Variables of the mock, of the tests, and of the documentation's shell commands. */
const elsewhere = ['CUBBY_MOCK_PORT', 'CUBBY_CI_OUTCOME', 'CUBBY_KEY'];
const ofTests = /^CUBBY_TEST_/;

const mebibyte = 1_048_576;
/** Each process has so much memory for request bodies, if nothing else is set. */
const standardBodyMemory = 128 * mebibyte;
const leastBodyMemory = 16 * mebibyte;

function bodyMemory(reader: Reader): number {
  const bytes = sizeInBytes(reader, 'CUBBY_BODY_MEMORY', '') ?? standardBodyMemory;
  if (bytes < leastBodyMemory)
    reader.refuse(
      'CUBBY_BODY_MEMORY',
      `CUBBY_BODY_MEMORY must be at least 16MiB, so that several large bodies fit. Got ${bytes} bytes.`,
    );
  return reader.show('CUBBY_BODY_MEMORY', bytes, `${bytes / mebibyte} MiB`);
}

function scrubDays(reader: Reader): number {
  const name = 'CUBBY_SCRUB_DAYS';
  const days = wholeNumber(reader, name, { standard: 30, most: 365, noun: 'a whole number of days' });
  return days === 0 ? reader.show(name, days, '0 (off)') : days;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];

/**
 * Reads the configuration from the environment. Nothing else reads the environment.
 *
 * @throws {ConfigProblems} with all problems
 */
export function parseConfig(env: Environment): Config {
  const { config, problems } = checkConfig(env);
  if (!config) throw new ConfigProblems(problems);
  return config;
}

/** Reads the configuration like `parseConfig()`. Returns problems instead of throwing, and the source of each value. */
export function checkConfig(env: Environment): CheckedConfig {
  const reader = new Reader(env);
  const values: Omit<Config, 'settings'> = {
    dataDir: dataDir(reader),
    databaseUrl: databaseUrl(reader),
    host: host(reader, 'CUBBY_HOST'),
    operatorHost: host(reader, 'CUBBY_OPERATOR_HOST'),
    operatorNames: hostNames(reader, 'CUBBY_OPERATOR_NAMES'),
    mayMoveOperator: reader.text('CUBBY_OPERATOR_PORT') === undefined,
    ...portsAndUrls(reader),
    ...secretKeys(reader),
    hasPublicMetrics: isOn(reader, 'CUBBY_PUBLIC_METRICS', 'off'),
    rateLimits: isOn(reader, 'CUBBY_RATE_LIMITS', 'on'),
    workers: wholeNumber(reader, 'CUBBY_WORKERS', { standard: 1, least: 1, most: 256 }),
    caches: isOn(reader, 'CUBBY_CACHES', 'on'),
    bucket: bucketConfig(reader),
    backup: backupPlace(reader),
    scrubDays: scrubDays(reader),
    events: eventsConfig(reader),
    featuresOff: switchedOffFeatures(reader),
    minFreeBytes: sizeInBytes(reader, 'CUBBY_MIN_FREE_BYTES', '256 MiB, or 1 % of the disk where that is less'),
    rowCacheBytes: sizeInBytes(reader, 'CUBBY_CACHE_BYTES', 'a 64th of the memory, 32 to 256 MiB'),
    bodyMemoryBytes: bodyMemory(reader),
    trustedProxies: trustedProxies(reader),
    cdnPurgeUrl: hookUrl(reader, 'CUBBY_CDN_PURGE_URL'),
    ...featureConfigs(reader),
    logLevel: oneOf(reader, 'CUBBY_LOG', logLevels, 'info'),
    telemetry: telemetryConfig(reader),
  };
  if (values.masterKey === undefined)
    reader.show('CUBBY_MASTER_KEY', undefined, `in ${join(values.dataDir, 'master.key')}`);
  refuseSharedPorts(reader, values);
  refuseLonelyWorkers(reader, values);
  if (values.cdnPurgeUrl !== undefined && values.urls.public === undefined && !reader.isRefused('CUBBY_PUBLIC_URL')) {
    reader.refuse(
      'CUBBY_CDN_PURGE_URL',
      'CUBBY_CDN_PURGE_URL needs CUBBY_PUBLIC_URL: a CDN knows files by the addresses that clients use.',
    );
  }
  const settings = settingsOf(reader);
  const hidden = [...secretKeyFileVariables, ...bucketFileVariables, ...backupFileVariables];
  const others = [...elsewhere, ...Object.keys(env).filter((name) => ofTests.test(name))];
  reader.refuseUnknown([...settings.map(({ name }) => name), ...hidden, ...others]);
  const { problems } = reader;
  return { config: problems.length === 0 ? { ...values, settings } : undefined, settings, problems };
}

/** Reads where the doors listen, and the addresses of clients. Without one, a door is on this machine. */
function portsAndUrls(reader: Reader): Pick<Config, 'ports' | 'urls'> {
  const ports = {
    api: port(reader, 'CUBBY_API_PORT', 7400),
    files: port(reader, 'CUBBY_FILES_PORT', 7401),
    public: port(reader, 'CUBBY_PUBLIC_PORT', 7402),
    s3: port(reader, 'CUBBY_S3_PORT', 7403),
    // A server on free ports has this one free as well.
    operator: port(reader, 'CUBBY_OPERATOR_PORT', reader.text('CUBBY_API_PORT') === '0' ? 0 : 7404),
  };
  const local = (door: DoorName) => `http://localhost:${ports[door] || '<the free port>'}`;
  const base = reader.show('CUBBY_BASE_URL', url(reader, 'CUBBY_BASE_URL'));
  const urlOf = (door: DoorName, name: string) => {
    const own = url(reader, name);
    return reader.show(name, own, own ?? local(door));
  };
  const urls = {
    api: urlOf('api', 'CUBBY_API_URL'),
    files: urlOf('files', 'CUBBY_FILES_URL'),
    public: urlOf('public', 'CUBBY_PUBLIC_URL'),
    s3: urlOf('s3', 'CUBBY_S3_URL'),
    operator: urlOf('operator', 'CUBBY_OPERATOR_URL'),
  };
  reader.show('CUBBY_BASE_URL', base, base ?? urls.api ?? local('api'));
  return { ports, urls: { base, ...urls } };
}

/** Several processes cannot share a SQLite database. */
function refuseLonelyWorkers(reader: Reader, { workers }: Pick<Config, 'workers'>): void {
  if (workers === 1 || reader.text('CUBBY_DATABASE_URL') !== undefined) return;
  reader.refuse(
    'CUBBY_WORKERS',
    `CUBBY_WORKERS is ${workers}, but several workers need CUBBY_DATABASE_URL: they cannot share a SQLite database. ` +
      'Name a PostgreSQL database, or set CUBBY_WORKERS to 1.',
  );
}

/** Doors can share a port only if their host names differ. The operator's door shares none. */
function refuseSharedPorts(reader: Reader, { ports, urls }: Pick<Config, 'ports' | 'urls'>): void {
  for (const [index, one] of doorNames.entries()) {
    for (const other of doorNames.slice(index + 1)) {
      if (ports[one] === 0 || ports[one] !== ports[other]) continue;
      if (other === 'operator') {
        reader.refuse(
          'CUBBY_OPERATOR_PORT',
          `The operator's door cannot share port ${ports[one]} with the ${one} door. Set CUBBY_OPERATOR_PORT to ` +
            'another port.',
        );
        continue;
      }
      const [a, b] = [urls[one], urls[other]];
      if (a !== undefined && b !== undefined && new URL(a).hostname !== new URL(b).hostname) continue;
      const [first, second] = [`CUBBY_${one.toUpperCase()}`, `CUBBY_${other.toUpperCase()}`];
      reader.refuse(
        `${second}_PORT`,
        `The ${one} and the ${other} door share port ${ports[one]}, ` +
          `so ${first}_URL and ${second}_URL must name two different hosts.`,
      );
    }
  }
}

function settingsOf(reader: Reader): Setting[] {
  return Array.from(reader.shown, ([name, value]) => {
    const file = `${name}_FILE`;
    const isSet =
      reader.text(name) !== undefined || (secretKeyFileVariables.includes(file) && reader.text(file) !== undefined);
    return { name, value: reader.isRefused(name) ? null : value, source: isSet ? 'environment' : 'default' };
  });
}
