import { freshBucket, type TestBucket } from './bucket/bucket.ts';
import { testKeyEncryptionKey } from './decrypted.ts';
import { migrated } from './postgres/migrated.ts';
import { freshDatabase, type TestDatabase } from './postgres/postgres.ts';
import { noPostgres } from './postgres/programs.ts';
import {
  changePostgres,
  changeSqlite,
  fileBlobs,
  postgresRows,
  sqliteRows,
  type StoredBlobs,
  type StoredRows,
} from './stored.ts';

const kinds = ['sqlite', 'sqlite+bucket', 'postgres', 'postgres+bucket'] as const;

/** The stores that the servers of a test run use: for rows, and a bucket for the bytes of larger files. */
export type StoreKind = (typeof kinds)[number];

/** `CUBBY_TEST_STORE`: what `startTestServer()` and `openTestStores()` store in. Default: SQLite and files. */
export const chosenStore: StoreKind = readChoice(process.env.CUBBY_TEST_STORE ?? 'sqlite');

export const isOnPostgres = chosenStore.startsWith('postgres');

export const isOnBucket = chosenStore.endsWith('+bucket');

/** `CUBBY_TEST_ENCRYPTED=1`: the bytes of files are encrypted, also those of restored folders. */
export const encryptionSettings: Readonly<Record<string, string>> =
  process.env.CUBBY_TEST_ENCRYPTED === '1' ? { CUBBY_KEY_ENCRYPTION_KEY: testKeyEncryptionKey } : {};

/** `CUBBY_TEST_REPLICAS`: how many servers over the same stores `startTestServer()` puts behind one address. */
export const chosenReplicas = Number(process.env.CUBBY_TEST_REPLICAS ?? 1);

function readChoice(text: string): StoreKind {
  const kind = kinds.find((one) => one === text);
  if (!kind) throw new Error(`CUBBY_TEST_STORE must be one of ${kinds.join(', ')}. Got "${text}".`);
  const missing = kind.startsWith('postgres') ? noPostgres() : undefined;
  if (missing !== undefined) throw new Error(`CUBBY_TEST_STORE=${kind} cannot be used: ${missing}.`);
  return kind;
}

/** What is beside a data folder. */
interface Beside {
  readonly database: TestDatabase | undefined;
  readonly bucket: TestBucket | undefined;
}

const opened = new Map<string, Promise<Beside>>();

/** Servers over the same folder get the same stores, also one after another. */
function besideOf(dataDir: string): Promise<Beside> {
  let beside = opened.get(dataDir);
  if (!beside) opened.set(dataDir, (beside = openBeside()));
  return beside;
}

async function openBeside(): Promise<Beside> {
  return {
    database: isOnPostgres ? await freshDatabase(migrated) : undefined,
    bucket: isOnBucket ? await freshBucket() : undefined,
  };
}

/** Returns the settings that open the chosen stores for a data folder. */
export async function settingsOfStores(dataDir: string): Promise<Record<string, string>> {
  return settingsOf(await besideOf(dataDir));
}

/** Returns the settings that open the stores of an earlier server of this folder. None if there was none. */
export async function settingsOfOpened(dataDir: string): Promise<Record<string, string>> {
  const beside = await opened.get(dataDir);
  return beside ? settingsOf(beside) : {};
}

function settingsOf({ database, bucket }: Beside): Record<string, string> {
  return {
    ...(database && { CUBBY_DATABASE_URL: database.url }),
    ...bucket?.settings,
    ...encryptionSettings,
  };
}

/** Removes what is beside a data folder. */
export async function removeStores(dataDir: string): Promise<void> {
  const beside = await opened.get(dataDir);
  opened.delete(dataDir);
  await Promise.all([beside?.database?.drop(), beside?.bucket?.remove()]);
}

/** Opens the rows of a data folder's server, past its code. */
export async function storedRows(dataDir: string): Promise<StoredRows> {
  const { database } = await besideOf(dataDir);
  return database ? postgresRows(database.url) : sqliteRows(dataDir);
}

/** Changes rows of a data folder's server, past its code. Returns how many. */
export async function changeStored(dataDir: string, sql: string): Promise<number> {
  const { database } = await besideOf(dataDir);
  return database ? changePostgres(database.url, sql) : changeSqlite(dataDir, sql);
}

/** Returns the blobs of a data folder's server, past its code. */
export async function storedBlobs(dataDir: string): Promise<StoredBlobs> {
  const { bucket } = await besideOf(dataDir);
  return bucket ? bucket.blobs : fileBlobs(dataDir);
}
