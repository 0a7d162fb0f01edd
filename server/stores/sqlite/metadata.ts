import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  MetadataFull,
  MetadataUnavailable,
  type AtomicOptions,
  type Metadata,
  type Readers,
  type Transaction,
} from '#server/domain/ports/metadata.ts';
import { SqliteAccounts } from './accounts.ts';
import { SqliteActivity } from './activity.ts';
import { SqliteApiKeys } from './api-keys.ts';
import { SqliteApps } from './apps.ts';
import { SqliteChat } from './chat.ts';
import { SqliteChunkedUploads } from './chunked-uploads.ts';
import { SqliteClockJump } from './clock-jump.ts';
import type { Connections } from './connection.ts';
import { SqliteContents } from './contents.ts';
import { isDiskFull } from './database-errors.ts';
import { SqliteDeploys } from './deploys.ts';
import { SqliteDeviceRequests } from './device-requests.ts';
import { SqliteEdgeErrors } from './edge-errors.ts';
import { SqliteEdgeLogs } from './edge-logs.ts';
import { SqliteGitDeliveries } from './git-deliveries.ts';
import { SqliteGitWebhooks } from './git-webhooks.ts';
import { SqliteLegacyImports } from './legacy-imports.ts';
import { SqliteLimitWindows } from './limit-windows.ts';
import { SqliteObjects } from './objects.ts';
import { SqliteReservations } from './reservations.ts';
import { SqliteRules } from './rules.ts';
import { SqliteSessions } from './sessions.ts';
import { SqliteShares } from './shares.ts';
import { SqliteUploadTokens } from './upload-tokens.ts';
import { DatabaseLocked, LogLost, WriterClosed } from './writer-errors.ts';
import { Writer, type WriterOptions, type WriterTransaction } from './writer.ts';

export interface SqliteMetadataOptions extends WriterOptions {
  /** Told, after the commit, that there are blobs whose bytes can be removed. */
  readonly onDoomed: () => void;
}

/** A step of reading that has held the event loop for so long lets others in before the next. */
const maxReadMs = 8;

/** Everything that is a row, in one SQLite database. */
export class SqliteMetadata implements Metadata {
  readonly read: Readers;
  readonly #writer: Writer;
  readonly #onDoomed: () => void;

  constructor(connections: Connections, options: SqliteMetadataOptions) {
    this.#writer = new Writer(connections, options);
    this.#onDoomed = options.onDoomed;
    const db = () => connections.reader;
    const turn = turns();
    this.read = reading({
      accounts: new SqliteAccounts(db),
      activity: politeActivity(new SqliteActivity(db), turn),
      apiKeys: new SqliteApiKeys(db),
      apps: new SqliteApps(db),
      objects: politeObjects(new SqliteObjects(db), turn),
      contents: new SqliteContents(db, () => {}),
      legacyImports: new SqliteLegacyImports(db),
      rules: new SqliteRules(db),
      clockJump: new SqliteClockJump(db),
      uploadTokens: new SqliteUploadTokens(db),
      chunkedUploads: new SqliteChunkedUploads(db, () => {}),
      sessions: new SqliteSessions(db),
      shares: new SqliteShares(db),
      chat: new SqliteChat(db),
      edgeErrors: politeEdgeErrors(new SqliteEdgeErrors(db), turn),
      edgeLogs: new SqliteEdgeLogs(db),
      gitWebhooks: new SqliteGitWebhooks(db),
      deploys: new SqliteDeploys(db),
    });
  }

  async atomically<T>(work: (tx: Transaction) => Promise<T>, options?: AtomicOptions): Promise<T> {
    try {
      return await this.#writer.atomically((tx) => work(this.#tables(tx)), options);
    } catch (error) {
      throw asStoreFault('written', error);
    }
  }

  #tables(tx: WriterTransaction): Transaction {
    const db = (): DatabaseSync => tx.db;
    const onDoomed = () => tx.afterCommit(this.#onDoomed);
    return {
      now: tx.now,
      afterCommit: (callback) => tx.afterCommit(callback),
      accounts: new SqliteAccounts(db, tx.now),
      activity: new SqliteActivity(db),
      apiKeys: new SqliteApiKeys(db),
      apps: new SqliteApps(db),
      objects: new SqliteObjects(db),
      contents: new SqliteContents(db, onDoomed),
      legacyImports: new SqliteLegacyImports(db),
      reservations: new SqliteReservations(db, onDoomed),
      limitWindows: new SqliteLimitWindows(db),
      rules: new SqliteRules(db),
      clockJump: new SqliteClockJump(db),
      uploadTokens: new SqliteUploadTokens(db),
      chunkedUploads: new SqliteChunkedUploads(db, onDoomed),
      sessions: new SqliteSessions(db),
      deviceRequests: new SqliteDeviceRequests(db),
      shares: new SqliteShares(db),
      chat: new SqliteChat(db),
      edgeErrors: new SqliteEdgeErrors(db),
      edgeLogs: new SqliteEdgeLogs(db),
      gitWebhooks: new SqliteGitWebhooks(db),
      deploys: new SqliteDeploys(db),
      gitDeliveries: new SqliteGitDeliveries(db),
    };
  }

  /** Waits for the work that is queued; takes none afterwards. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}

/**
 * Reads are synchronous; a long series of them, as in a list, must not keep other requests waiting: each step of one
 * awaits this.
 */
function turns(): () => Promise<void> {
  let heldSince = performance.now();
  let isFresh = false;
  return async () => {
    if (!isFresh) {
      isFresh = true;
      heldSince = performance.now();
      setImmediate(() => (isFresh = false));
    }
    if (performance.now() - heldSince > maxReadMs) await nextTurn();
  };
}

function politeActivity(activity: SqliteActivity, turn: () => Promise<void>): Readers['activity'] {
  return {
    scan: async (scan) => {
      await turn();
      return activity.scan(scan);
    },
  };
}

function politeEdgeErrors(edgeErrors: SqliteEdgeErrors, turn: () => Promise<void>): Readers['edgeErrors'] {
  return {
    revision: (appId) => edgeErrors.revision(appId),
    extent: (appId) => edgeErrors.extent(appId),
    byBucket: async (scan, buckets) => {
      await turn();
      return edgeErrors.byBucket(scan, buckets);
    },
    addByPath: async (scan, sums) => {
      await turn();
      return edgeErrors.addByPath(scan, sums);
    },
    pathOf: (pathId) => edgeErrors.pathOf(pathId),
  };
}

function politeObjects(objects: SqliteObjects, turn: () => Promise<void>): Readers['objects'] {
  return {
    find: (address) => objects.find(address),
    scan: async (scan) => {
      await turn();
      return objects.scan(scan);
    },
    scanByAge: async (scan) => {
      await turn();
      return objects.scanByAge(scan);
    },
    expired: (now, limit) => objects.expired(now, limit),
    unhashed: (after, limit) => objects.unhashed(after, limit),
  };
}

/** The same readers, with SQLite's failures as the port's own. */
function reading({
  accounts,
  activity,
  apiKeys,
  apps,
  objects,
  contents,
  legacyImports,
  rules,
  clockJump,
  sessions,
  uploadTokens,
  chunkedUploads,
  shares,
  chat,
  edgeErrors,
  edgeLogs,
  gitWebhooks,
  deploys,
}: Readers): Readers {
  const translated =
    <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await read(...args);
      } catch (error) {
        throw asStoreFault('read', error);
      }
    };
  return {
    accounts: {
      find: translated((id) => accounts.find(id)),
      list: translated(() => accounts.list()),
      usageOf: translated((id) => accounts.usageOf(id)),
    },
    activity: { scan: translated((scan) => activity.scan(scan)) },
    apiKeys: {
      findByHash: translated((hash) => apiKeys.findByHash(hash)),
      findByS3Salt: translated((s3Salt) => apiKeys.findByS3Salt(s3Salt)),
      find: translated((id) => apiKeys.find(id)),
      listOf: translated((accountId) => apiKeys.listOf(accountId)),
      liveOf: translated((accountId, now) => apiKeys.liveOf(accountId, now)),
    },
    apps: { find: translated((appId) => apps.find(appId)), listOf: translated((accountId) => apps.listOf(accountId)) },
    objects: {
      find: translated((address) => objects.find(address)),
      scan: translated((scan) => objects.scan(scan)),
      scanByAge: translated((scan) => objects.scanByAge(scan)),
      expired: translated((now, limit) => objects.expired(now, limit)),
      unhashed: translated((after, limit) => objects.unhashed(after, limit)),
    },
    contents: { find: translated((id) => contents.find(id)) },
    legacyImports: { find: translated((file) => legacyImports.find(file)) },
    rules: {
      listOf: translated((accountId) => rules.listOf(accountId)),
      accountsThatDelete: translated(() => rules.accountsThatDelete()),
      sweptUntil: translated((accountId, prefix) => rules.sweptUntil(accountId, prefix)),
    },
    clockJump: { find: translated(() => clockJump.find()) },
    uploadTokens: {
      findByHash: translated((hash) => uploadTokens.findByHash(hash)),
      find: translated((id) => uploadTokens.find(id)),
    },
    chunkedUploads: {
      find: translated((id) => chunkedUploads.find(id)),
      partsOf: translated((id, after, limit) => chunkedUploads.partsOf(id, after, limit)),
      part: translated((id, part) => chunkedUploads.part(id, part)),
      openOf: translated((accountId, idleBefore) => chunkedUploads.openOf(accountId, idleBefore)),
      idle: translated((idleBefore, limit) => chunkedUploads.idle(idleBefore, limit)),
      withPartsLeft: translated((limit) => chunkedUploads.withPartsLeft(limit)),
    },
    sessions: { find: translated((hash) => sessions.find(hash)) },
    shares: {
      find: translated((idHash) => shares.find(idHash)),
      listOf: translated((accountId, now, limit) => shares.listOf(accountId, now, limit)),
      openDownload: translated((of) => shares.openDownload(of)),
    },
    chat: {
      chargedTo: translated((accountId, day) => chat.chargedTo(accountId, day)),
      tokensOn: translated((day) => chat.tokensOn(day)),
    },
    edgeErrors: {
      revision: translated((appId) => edgeErrors.revision(appId)),
      extent: translated((appId) => edgeErrors.extent(appId)),
      byBucket: translated((scan, buckets) => edgeErrors.byBucket(scan, buckets)),
      addByPath: translated((scan, sums) => edgeErrors.addByPath(scan, sums)),
      pathOf: translated((pathId) => edgeErrors.pathOf(pathId)),
    },
    edgeLogs: { listOf: translated((appId) => edgeLogs.listOf(appId)) },
    gitWebhooks: {
      findByCode: translated((codeHash) => gitWebhooks.findByCode(codeHash)),
      find: translated((appId) => gitWebhooks.find(appId)),
    },
    deploys: {
      find: translated((deployId) => deploys.find(deployId)),
      listOf: translated((scan) => deploys.listOf(scan)),
      revision: translated((appId) => deploys.revision(appId)),
    },
  };
}

/** What SQLite cannot do at the moment becomes the port's own fault; everything else passes as it is. */
function asStoreFault(doing: 'read' | 'written', error: unknown): unknown {
  if (isDiskFull(error)) return new MetadataFull(error);
  return isUnavailable(error)
    ? new MetadataUnavailable(`The database cannot be ${doing} at the moment.`, error)
    : error;
}

/**
 * Whether SQLite cannot work at the moment, as against a fault in our statements.
 * @see https://www.sqlite.org/rescode.html BUSY 5, LOCKED 6, READONLY 8, IOERR 10, FULL 13, CANTOPEN 14, PROTOCOL 15
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseLocked || error instanceof WriterClosed || error instanceof LogLost) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return code !== undefined && [5, 6, 8, 10, 13, 14, 15].includes(code);
}
