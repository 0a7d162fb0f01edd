import type { Account } from '../account/account.ts';
import { fitsQuota, quotaExceeded } from '../account/room.ts';
import { maxReplacingBytes, maxUnsettledBytes, unsettledStepBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Refusal } from '../refusal.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'reservations'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** What is known of an upload's size before it comes. */
export interface Expected {
  readonly account: Account;
  /** The size that the headers announce, when they do. */
  readonly estimatedBytes: number | undefined;
  /** Where the announced size may be too large: what it is at least. */
  readonly leastBytes?: number | undefined;
  readonly maxBytes: number;
  /** Bytes that count against the quota already and that these will replace. */
  readonly replacedBytes?: number | undefined;
}

/** Counts of bytes under way need not survive a power cut: the next start gives all of them back. */
const fleeting = { isLasting: false } as const;

/**
 * The quota of one upload under way, in a reservation that names its blob. What is announced is held at once. What is
 * not flows: it is counted before it is written, in steps, and held when all of it is there. Held from the first byte
 * on, parallel uploads would keep each other out of room that none of them fills in the end.
 *
 * So all bytes of an account that are on the disk, or may come there, are counted: those that flow may pass the quota
 * by {@link maxUnsettledBytes}, and those that replace a stored part by {@link maxReplacingBytes}, all together.
 */
export class QuotaHold {
  readonly reservationId: string;
  readonly blobId: string;
  readonly #metadata: Deps['metadata'];
  readonly #expected: Expected;
  readonly #quotaBytes: number;
  /** Of the content, so many bytes are held or counted as flowing. */
  #coveredBytes = 0;
  #heldBytes = 0;
  #flowingBytes = 0;
  /** So much of it takes the place of what is stored; nothing where there is no room for both. */
  #replacedBytes: number;
  #isBegun = false;

  constructor({ metadata, ids }: Deps, expected: Expected) {
    this.#metadata = metadata;
    this.#expected = expected;
    this.#quotaBytes = quotaBytesOf(expected.account);
    this.#replacedBytes = expected.replacedBytes ?? 0;
    this.reservationId = ids.opaqueId();
    this.blobId = ids.opaqueId();
  }

  /** Whether there is a reservation, which somebody has to release then. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** @throws STORAGE_QUOTA_EXCEEDED; there may be a reservation then */
  async begin(arrivedBytes: number): Promise<void> {
    const { estimatedBytes, leastBytes = estimatedBytes, maxBytes } = this.#expected;
    const announcedBytes =
      estimatedBytes === undefined ? 0 : Math.max(Math.min(estimatedBytes, maxBytes), arrivedBytes);
    if (announcedBytes > 0 && (await this.#holdAnnounced(announcedBytes))) return;
    await this.#refuseUnlessFits(Math.max(leastBytes ?? 0, arrivedBytes));
    if (!(await this.#hold(0))) throw await this.#exceeded(arrivedBytes);
    await this.cover(arrivedBytes);
  }

  /** Counts what has arrived, before it is written. @throws STORAGE_QUOTA_EXCEEDED */
  async cover(arrivedBytes: number): Promise<void> {
    if (arrivedBytes <= this.#coveredBytes) return;
    // A little more than was announced.
    if (this.#heldBytes > 0) return this.complete(arrivedBytes);
    const isCounted =
      (await this.#flow(arrivedBytes, arrivedBytes + unsettledStepBytes)) ||
      (await this.#flow(arrivedBytes, arrivedBytes));
    if (!isCounted) throw await this.#exceeded(this.#added(arrivedBytes));
  }

  /** Holds what has arrived, and nothing more than what was announced. @throws STORAGE_QUOTA_EXCEEDED */
  async complete(sizeBytes: number): Promise<void> {
    const byBytes = this.#added(sizeBytes) - this.#heldBytes;
    const flowingBytes = Math.min(sizeBytes, this.#replacedBytes);
    if (byBytes <= 0 && flowingBytes === this.#flowingBytes) return;
    await this.#metadata.atomically(async ({ reservations, accounts }) => {
      await reservations.settle(this.reservationId, flowingBytes);
      if (byBytes <= 0 || (await reservations.extend(this.reservationId, byBytes, this.#quotaBytes))) return;
      throw quotaExceeded(await accounts.find(this.#expected.account.id), byBytes);
    }, fleeting);
    this.#heldBytes += Math.max(0, byBytes);
    this.#flowingBytes = flowingBytes;
    this.#coveredBytes = Math.max(sizeBytes, this.#coveredBytes);
  }

  /** What a content of this size adds to what counts already. */
  #added(sizeBytes: number): number {
    return Math.max(0, sizeBytes - this.#replacedBytes);
  }

  /** Beside what it replaces; where that leaves no room on the disk, it must fit as a whole. */
  async #holdAnnounced(sizeBytes: number): Promise<boolean> {
    const replacedBytes = this.#replacedBytes;
    if (await this.#hold(sizeBytes)) return true;
    if (replacedBytes === 0) return false;
    this.#replacedBytes = 0;
    if (await this.#hold(sizeBytes)) return true;
    this.#replacedBytes = replacedBytes;
    return false;
  }

  /** In one transaction with the reservation, which has to last: it names the blob. */
  async #hold(sizeBytes: number): Promise<boolean> {
    const addedBytes = this.#added(sizeBytes);
    const flowingBytes = Math.min(sizeBytes, this.#replacedBytes);
    const reservation = {
      id: this.reservationId,
      accountId: this.#expected.account.id,
      sizeBytes: addedBytes,
      blobId: this.blobId,
    };
    const isHeld = await this.#metadata.atomically(async ({ reservations }) => {
      // What adds nothing fits also where the quota has shrunk below what is stored.
      if (!(await reservations.hold(reservation, addedBytes > 0 ? this.#quotaBytes : Number.MAX_SAFE_INTEGER)))
        return false;
      if (flowingBytes === 0) return true;
      const isCounted = await reservations.flow(this.reservationId, {
        byBytes: flowingBytes,
        addedBytes: 0,
        quotaBytes: this.#quotaBytes,
        beyondBytes: maxReplacingBytes,
      });
      if (!isCounted) await reservations.release(this.reservationId);
      return isCounted;
    });
    if (!isHeld) return false;
    this.#isBegun = true;
    this.#heldBytes = addedBytes;
    this.#flowingBytes = flowingBytes;
    this.#coveredBytes = sizeBytes;
    return true;
  }

  /** Counts so many bytes of the content, of which some have not come yet. */
  async #flow(arrivedBytes: number, toBytes: number): Promise<boolean> {
    const flow = {
      byBytes: toBytes - this.#coveredBytes,
      addedBytes: this.#added(arrivedBytes),
      quotaBytes: this.#quotaBytes,
      beyondBytes: this.#replacedBytes > 0 ? maxReplacingBytes : maxUnsettledBytes,
    };
    if (!(await this.#metadata.atomically(({ reservations }) => reservations.flow(this.reservationId, flow), fleeting)))
      return false;
    this.#flowingBytes += flow.byBytes;
    this.#coveredBytes = toBytes;
    return true;
  }

  async #refuseUnlessFits(sizeBytes: number): Promise<void> {
    const addedBytes = this.#added(sizeBytes);
    if (addedBytes === 0) return;
    const account = await this.#metadata.read.accounts.find(this.#expected.account.id);
    if (!account || !fitsQuota(account, addedBytes)) throw quotaExceeded(account, addedBytes);
  }

  /** The refusal of so many bytes more. */
  async #exceeded(addedBytes: number): Promise<Refusal> {
    return quotaExceeded(await this.#metadata.read.accounts.find(this.#expected.account.id), addedBytes);
  }
}
