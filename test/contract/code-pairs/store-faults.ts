import { setTimeout as sleep } from 'node:timers/promises';

import { BlobStoreFailed, BlobStoreUnavailable, type BlobStore } from '#server/domain/ports/blobs.ts';
import { MetadataFailed, MetadataUnavailable, type Metadata, type Readers } from '#server/domain/ports/metadata.ts';

type ReadCall = { [Table in keyof Readers]: `${Table}.${keyof Readers[Table] & string}` }[keyof Readers];

/** The port calls that tests can make fail. */
export type StoreCall = 'blobs.put' | 'blobs.open' | 'atomically' | ReadCall;

/** The message of an unexpected error. It may appear only in the log. */
export const faultWords = 'the store broke in a way that nobody foresaw';

const lostConnection = Object.assign(new Error('ECONNRESET: connection reset'), { code: 'ECONNRESET' });
const ioError = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'write' });

/** Stores that work like the real ones, until a test makes one of their calls fail. */
export class StoreFaults {
  readonly #failing = new Map<StoreCall, Error>();
  readonly #slow = new Map<StoreCall, number>();

  /** Makes the call fail while `work` runs, like a real store that cannot be reached. */
  async unavailable<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    const Unavailable = call.startsWith('blobs.') ? BlobStoreUnavailable : MetadataUnavailable;
    return this.#during(call, new Unavailable('The store cannot work at the moment.', lostConnection), work);
  }

  /** Makes the call fail while `work` runs, like the real store whose disk is gone. */
  async broken<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    const Failed = call.startsWith('blobs.') ? BlobStoreFailed : MetadataFailed;
    return this.#during(call, new Failed('The store cannot work at the moment.', ioError), work);
  }

  /** Makes the call fail while `work` runs, like a bug. */
  async unexpected<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    return this.#during(call, new TypeError(faultWords), work);
  }

  /** Delays the call by `ms` while `work` runs. */
  async slow<T>(call: ReadCall | 'atomically', ms: number, work: () => Promise<T>): Promise<T> {
    this.#slow.set(call, ms);
    try {
      return await work();
    } finally {
      this.#slow.delete(call);
    }
  }

  async #during<T>(call: StoreCall, error: Error, work: () => Promise<T>): Promise<T> {
    this.#failing.set(call, error);
    try {
      return await work();
    } finally {
      this.#failing.delete(call);
    }
  }

  async #delay(call: StoreCall): Promise<void> {
    const delayMs = this.#slow.get(call);
    if (delayMs !== undefined) await sleep(delayMs);
  }

  #check(call: StoreCall): void {
    const error = this.#failing.get(call);
    if (error) throw error;
  }

  /** The override `blobs` of `startTestServer()`. */
  readonly blobs = (real: BlobStore): BlobStore => ({
    put: async (blobId, source, options) => {
      // The real store has read bytes before its disk rejects them, and leaves none of them behind.
      if (this.#failing.has('blobs.put')) await source[Symbol.asyncIterator]().next();
      this.#check('blobs.put');
      return real.put(blobId, source, options);
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
    const tables = Object.entries(real.read).map(([table, reader]) => [table, this.#reader(table, reader)]);
    return {
      read: Object.fromEntries(tables) as Readers,
      atomically: async (work, options) => {
        await this.#delay('atomically');
        this.#check('atomically');
        return real.atomically(work, options);
      },
    };
  };

  #reader<T extends object>(table: string, reader: T): T {
    return new Proxy(reader, {
      get: (target, call) => {
        const method: unknown = Reflect.get(target, call);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          await this.#delay(`${table}.${String(call)}` as ReadCall);
          this.#check(`${table}.${String(call)}` as ReadCall);
          return Reflect.apply(method, target, args);
        };
      },
    });
  }
}
