import { BlobStoreUnavailable, type BlobStore } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable, type Metadata } from '#server/domain/ports/metadata.ts';

/** The calls of the ports that can be made to fail. */
export type StoreCall =
  | 'blobs.put'
  | 'blobs.open'
  | 'accounts.find'
  | 'accounts.usageOf'
  | 'activity.scan'
  | 'apiKeys.findByHash'
  | 'apiKeys.liveOf'
  | 'apps.find'
  | 'deploys.listOf'
  | 'edgeErrors.revision'
  | 'objects.find'
  | 'objects.scan'
  | 'rules.listOf'
  | 'sessions.find'
  | 'shares.listOf'
  | 'atomically';

/** The words of an unexpected error; they may stand in the log, and nowhere else. */
export const faultWords = 'the store broke in a way that nobody foresaw';

const ioError = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'write' });

/** Stores that work as the real ones do, until a test lets one of their calls fail. */
export class StoreFaults {
  readonly #failing = new Map<StoreCall, Error>();

  /** While `work` runs, the call fails as the real store does when its disk is gone. */
  async unavailable<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    const Unavailable = call.startsWith('blobs.') ? BlobStoreUnavailable : MetadataUnavailable;
    return this.#during(call, new Unavailable('The store cannot work at the moment.', ioError), work);
  }

  /** While `work` runs, the call fails as a bug would. */
  async unexpected<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    return this.#during(call, new TypeError(faultWords), work);
  }

  async #during<T>(call: StoreCall, error: Error, work: () => Promise<T>): Promise<T> {
    this.#failing.set(call, error);
    try {
      return await work();
    } finally {
      this.#failing.delete(call);
    }
  }

  #check(call: StoreCall): void {
    const error = this.#failing.get(call);
    if (error) throw error;
  }

  /** The override `blobs` of `startTestServer()`. */
  readonly blobs = (real: BlobStore): BlobStore => ({
    put: async (blobId, source, signal) => {
      // The real store has taken bytes in before its disk refuses them, and leaves nothing of them behind.
      if (this.#failing.has('blobs.put')) await source[Symbol.asyncIterator]().next();
      this.#check('blobs.put');
      return real.put(blobId, source, signal);
    },
    open: async (blobId, range) => {
      this.#check('blobs.open');
      return real.open(blobId, range);
    },
    delete: (blobId) => real.delete(blobId),
    ids: () => real.ids(),
  });

  /** The override `metadata` of `startTestServer()`. */
  readonly metadata = (real: Metadata): Metadata => {
    const { accounts, activity, apiKeys, apps, deploys, edgeErrors, objects, rules, sessions, shares } = real.read;
    return {
      read: {
        ...real.read,
        accounts: {
          ...accounts,
          find: async (accountId) => {
            this.#check('accounts.find');
            return accounts.find(accountId);
          },
          usageOf: async (accountId) => {
            this.#check('accounts.usageOf');
            return accounts.usageOf(accountId);
          },
        },
        activity: {
          scan: async (scan) => {
            this.#check('activity.scan');
            return activity.scan(scan);
          },
        },
        apiKeys: {
          findByHash: async (hash) => {
            this.#check('apiKeys.findByHash');
            return apiKeys.findByHash(hash);
          },
          findByS3Salt: (s3Salt) => apiKeys.findByS3Salt(s3Salt),
          find: (keyId) => apiKeys.find(keyId),
          listOf: (accountId) => apiKeys.listOf(accountId),
          liveOf: async (accountId, now) => {
            this.#check('apiKeys.liveOf');
            return apiKeys.liveOf(accountId, now);
          },
        },
        apps: {
          ...apps,
          find: async (appId) => {
            this.#check('apps.find');
            return apps.find(appId);
          },
        },
        deploys: {
          ...deploys,
          listOf: async (scan) => {
            this.#check('deploys.listOf');
            return deploys.listOf(scan);
          },
        },
        edgeErrors: {
          ...edgeErrors,
          revision: async (appId) => {
            this.#check('edgeErrors.revision');
            return edgeErrors.revision(appId);
          },
        },
        objects: {
          ...objects,
          find: async (address) => {
            this.#check('objects.find');
            return objects.find(address);
          },
          scan: async (scan) => {
            this.#check('objects.scan');
            return objects.scan(scan);
          },
        },
        rules: {
          ...rules,
          listOf: async (accountId) => {
            this.#check('rules.listOf');
            return rules.listOf(accountId);
          },
        },
        sessions: {
          find: async (hash) => {
            this.#check('sessions.find');
            return sessions.find(hash);
          },
        },
        shares: {
          ...shares,
          listOf: async (accountId, now, limit) => {
            this.#check('shares.listOf');
            return shares.listOf(accountId, now, limit);
          },
        },
      },
      atomically: async (work) => {
        this.#check('atomically');
        return real.atomically(work);
      },
    };
  };
}
