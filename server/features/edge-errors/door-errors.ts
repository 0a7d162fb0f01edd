import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { MetadataFailed, type Metadata } from '#server/domain/ports/metadata.ts';
import type { PathOwner } from '#server/domain/ports/owned-path.ts';
import type { EdgeErrorCount } from './edge-error.ts';
import { NamedKinds } from './named-kinds.ts';
import { Tally } from './tally.ts';

/** An error response of one of Cubby's own doors. */
interface DoorError {
  readonly owner: PathOwner;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly method: string;
  /** Normalised, and without secrets such as the ids of links. */
  readonly path: string;
}

interface Deps {
  readonly metadata: {
    readonly atomically: Metadata['atomically'];
    readonly read: { readonly apps: Pick<Metadata['read']['apps'], 'find'> };
  };
  /** Called when errors wait to be stored. The caller then calls `store` soon. */
  readonly onWaiting: () => void;
}

interface Waiting {
  readonly owner: PathOwner;
  readonly tally: Tally;
}

/** Errors of one owner that are stored together. */
interface Portion {
  readonly owner: PathOwner;
  readonly counts: readonly EdgeErrorCount[];
}

interface OwnedPortion {
  readonly portion: Portion;
  readonly appId: string;
}

/** The most kinds of errors that wait: some megabytes. While the store is down, further kinds are not counted. */
const maxWaiting = 10_000;

/** The most kinds that wait for owners that may not exist, so that made-up accounts leave space for real ones. */
const maxUnseenWaiting = 2000;

/** The most kinds that wait for one owner. */
const maxWaitingOfOwner = 1000;

/** Kinds in one transaction, few enough not to delay requests. */
const batchKinds = 250;

/**
 * Counts the errors of Cubby's own public files and links for the built-in application of their account. `note` takes
 * microseconds and never waits. The errors are stored in batches. A killed process loses the errors that it had not
 * stored.
 */
export class DoorErrors {
  readonly #deps: Deps;
  readonly #named = new NamedKinds();
  /** The application of each owner that was found, by the owner's key. */
  readonly #seen = new LRUCache<string, string>(atMost(10_000));
  #waiting = new Map<string, Waiting>();
  #kinds = 0;
  #unseenKinds = 0;
  #leftOut = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  note(error: DoorError): void {
    const key = keyOf(error.owner);
    if (this.#hold({ ...error, path: this.#named.pathOf(key, this.#seen.has(key), error) }, 1)) this.#deps.onWaiting();
  }

  /**
   * Adds errors of one kind to those that wait. Returns false, and leaves them out, when a limit is reached. A kind
   * that waits already is never left out.
   */
  #hold({ owner, ...error }: DoorError, count: number): boolean {
    const key = keyOf(owner);
    const ofOwner = this.#waiting.get(key) ?? { owner, tally: new Tally() };
    const isNew = !ofOwner.tally.has(error);
    const isSeen = this.#seen.has(key);
    if (
      isNew &&
      (this.#kinds >= maxWaiting ||
        ofOwner.tally.size >= maxWaitingOfOwner ||
        (!isSeen && this.#unseenKinds >= maxUnseenWaiting))
    ) {
      this.#leftOut += count;
      return false;
    }
    this.#waiting.set(key, ofOwner);
    ofOwner.tally.add(error, count);
    if (isNew) {
      this.#kinds++;
      if (!isSeen) this.#unseenKinds++;
    }
    return true;
  }

  /**
   * Stores all errors that wait. Those that cannot be stored go on waiting.
   *
   * @returns how many errors were not counted since the last call, because a limit was reached
   */
  async store(): Promise<number> {
    const taken = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#kinds = 0;
    this.#unseenKinds = 0;
    const left = new Set(taken.flatMap(({ owner, tally }) => portionsOf(owner, tally.counts())));
    try {
      await this.#storeAll(left);
    } finally {
      for (const { owner, counts } of left)
        for (const { count, ...kind } of counts) this.#hold({ owner, ...kind }, count);
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }

  /**
   * Stores the portions. Removes from the set those that are stored or have no owner. A portion that cannot be stored
   * does not stop the others.
   */
  async #storeAll(left: Set<Portion>): Promise<void> {
    const owned: OwnedPortion[] = [];
    for (const portion of left) {
      const appId = await this.#appOf(portion.owner);
      if (appId === undefined) left.delete(portion);
      else owned.push({ portion, appId });
    }
    const faults: unknown[] = [];
    for (const batch of batchesOf(owned)) {
      const fault = await this.#storeBatch(batch, left);
      if (fault !== undefined && batch.length === 1) faults.push(fault);
      else if (fault !== undefined) for (const one of batch) faults.push(await this.#storeBatch([one], left));
    }
    const fault = faults.find((one) => one !== undefined);
    if (fault !== undefined) throw fault;
  }

  /** Stores a batch, and returns its error if that fails. Throws only when the whole store is down. */
  async #storeBatch(batch: readonly OwnedPortion[], left: Set<Portion>): Promise<unknown> {
    try {
      await this.#deps.metadata.atomically(async (tx) => {
        for (const { appId, portion } of batch)
          if (await tx.apps.find(appId)) await tx.edgeErrors.add(appId, portion.counts);
      });
    } catch (error) {
      if (error instanceof MetadataFailed) throw error;
      return error;
    }
    for (const { portion } of batch) left.delete(portion);
    return undefined;
  }

  /**
   * Finds the application of an owner. Returns undefined for an owner that does not exist, such as a guessed one. Its
   * errors are not counted.
   */
  async #appOf(owner: PathOwner): Promise<string | undefined> {
    const key = keyOf(owner);
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen;
    const { apps } = this.#deps.metadata.read;
    const accountId = 'accountId' in owner ? owner.accountId : await owner.account();
    const app = accountId === undefined ? undefined : await apps.find(builtInAppId(accountId));
    if (!app) return undefined;
    this.#seen.set(key, app.id);
    return app.id;
  }
}

function keyOf(owner: PathOwner): string {
  return 'accountId' in owner ? owner.accountId : owner.key;
}

function portionsOf(owner: PathOwner, counts: readonly EdgeErrorCount[]): Portion[] {
  return Array.from({ length: Math.ceil(counts.length / batchKinds) }, (_, portion) => ({
    owner,
    counts: counts.slice(portion * batchKinds, (portion + 1) * batchKinds),
  }));
}

/** Groups portions of several owners into batches of at most `batchKinds`. */
function batchesOf(portions: readonly OwnedPortion[]): OwnedPortion[][] {
  const batches: OwnedPortion[][] = [];
  let kinds = Infinity;
  for (const one of portions) {
    kinds += one.portion.counts.length;
    if (kinds <= batchKinds) {
      batches.at(-1)!.push(one);
      continue;
    }
    batches.push([one]);
    kinds = one.portion.counts.length;
  }
  return batches;
}
