import type { Account } from '#server/domain/account/account.ts';
import { beyondQuota, fitsQuota, mayReplaceBytes, quotaExceeded } from '#server/domain/account/quota.ts';
import { inFlightStepBytes, maxInFlightExcessBytes } from '#server/domain/limits.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { AtomicOptions, Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { leastBytesOf, type AnnouncedSize } from '#server/domain/announced-size.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'reservations'>;
  readonly ids: Pick<Ids, 'opaqueId' | 'blobId'>;
}

/** What is known about an upload before its bytes arrive. */
export interface QuotaRequest extends AnnouncedSize {
  readonly account: Account;
  readonly maxBytes: number;
  /**
   * Stored bytes that count against the quota and that the upload replaces. Only the bytes beyond them are reserved, if
   * the limits of the account allow both versions to be stored for a moment.
   */
  readonly replacedBytes?: number | undefined;
  /** Finds what the commit of the upload will free. Called at most once, when the bytes do not fit otherwise. */
  readonly freedAtCommit?: () => Promise<FreedAtCommit>;
}

/** The bytes that the commit of an upload will free. They may change until then, and the commit decides. */
export interface FreedAtCommit {
  /** As in {@link QuotaRequest}: of the file at its address. */
  readonly replacedBytes?: number;
  /** The sum that stored and reserved bytes may reach, in place of the quota. */
  readonly quotaBytes?: number;
}

/**
 * Reserves the quota of one upload, under a reservation that names its blob. An announced size is reserved at once.
 * Bytes that nobody announced are in flight: they are counted in steps before they are written, and reserved when all
 * have arrived. If they were reserved from the first byte on, parallel uploads would block quota that none of them
 * fills. So all bytes of an account that are on the disk, or may be written to it, are counted.
 *
 * @see server/domain/account/quota.ts for the sums and their limits
 */
export class QuotaReservation {
  readonly reservationId: string;
  readonly blobId: string;
  readonly #metadata: Deps['metadata'];
  readonly #request: QuotaRequest;
  #quotaBytes: number;
  /** Bytes of the content that are reserved or in flight. */
  #countedBytes = 0;
  #reservedBytes = 0;
  #inFlightBytes = 0;
  /** Bytes of the content that replace stored ones. 0 if the limits of the account do not allow both to be stored. */
  #replacedBytes: number;
  #isBegun = false;
  #hasLookedAhead = false;

  constructor({ metadata, ids }: Deps, request: QuotaRequest) {
    this.#metadata = metadata;
    this.#request = request;
    this.#quotaBytes = quotaBytesOf(request.account);
    this.#replacedBytes = mayReplaceBytes(request.account) ? (request.replacedBytes ?? 0) : 0;
    this.reservationId = ids.opaqueId();
    this.blobId = ids.blobId();
  }

  /** Whether a reservation exists, which the caller then has to release. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /**
   * Makes the reservation, with the announced size if there is one.
   *
   * @throws STORAGE_QUOTA_EXCEEDED, perhaps with a reservation left
   */
  async begin(arrivedBytes: number): Promise<void> {
    const { announcedBytes, maxBytes } = this.#request;
    const sizeBytes = announcedBytes === undefined ? 0 : Math.max(Math.min(announcedBytes, maxBytes), arrivedBytes);
    if (sizeBytes > 0 && (await this.#orWithFreed(() => this.#reserveAnnounced(sizeBytes)))) return;
    // The announced size may be larger than the file, so the bytes may still fit. They are counted as they come.
    await this.#refuseUnlessFits(Math.max(leastBytesOf(this.#request), arrivedBytes));
    if (!(await this.#reserve(0))) throw await this.#exceeded(arrivedBytes);
    await this.count(arrivedBytes);
  }

  /**
   * Counts the bytes that have arrived, before they are written.
   *
   * @throws STORAGE_QUOTA_EXCEEDED
   */
  async count(arrivedBytes: number): Promise<void> {
    if (arrivedBytes <= this.#countedBytes) return;
    // More bytes arrived than were announced.
    if (this.#reservedBytes > 0) return this.complete(arrivedBytes);
    const isCounted = await this.#orWithFreed(
      async () =>
        (await this.#countInFlight(arrivedBytes, arrivedBytes + inFlightStepBytes)) ||
        (await this.#countInFlight(arrivedBytes, arrivedBytes)),
    );
    if (!isCounted) throw await this.#exceeded(this.#added(arrivedBytes));
  }

  /**
   * Reserves exactly the bytes that have arrived, or the announced ones if those are more.
   *
   * @throws STORAGE_QUOTA_EXCEEDED
   */
  async complete(sizeBytes: number): Promise<void> {
    try {
      await this.#reserveArrived(sizeBytes);
    } catch (error) {
      if (!(error instanceof Refusal) || !(await this.#lookAhead())) throw error;
      await this.#reserveArrived(sizeBytes);
    }
  }

  async #reserveArrived(sizeBytes: number): Promise<void> {
    const byBytes = this.#added(sizeBytes) - this.#reservedBytes;
    const inFlightBytes = Math.min(sizeBytes, this.#replacedBytes);
    if (byBytes <= 0 && inFlightBytes === this.#inFlightBytes) return;
    await this.#metadata.atomically(async ({ reservations, accounts }) => {
      await reservations.setInFlight(this.reservationId, inFlightBytes);
      if (byBytes <= 0 || (await reservations.extend(this.reservationId, byBytes, this.#quotaBytes))) return;
      throw quotaExceeded(await accounts.find(this.#request.account.id), byBytes);
    }, this.#volatile());
    this.#reservedBytes += Math.max(0, byBytes);
    this.#inFlightBytes = inFlightBytes;
    this.#countedBytes = Math.max(sizeBytes, this.#countedBytes);
  }

  /** Tries a step, and once more with what the commit will free. */
  async #orWithFreed(step: () => Promise<boolean>): Promise<boolean> {
    return (await step()) || ((await this.#lookAhead()) && step());
  }

  /** Finds out once what the commit will free. Returns whether it frees anything. */
  async #lookAhead(): Promise<boolean> {
    const { account, freedAtCommit } = this.#request;
    if (!freedAtCommit || this.#hasLookedAhead || !mayReplaceBytes(account)) return false;
    this.#hasLookedAhead = true;
    const { replacedBytes = 0, quotaBytes = 0 } = await freedAtCommit();
    const isMore = replacedBytes > this.#replacedBytes || quotaBytes > this.#quotaBytes;
    this.#replacedBytes = Math.max(replacedBytes, this.#replacedBytes);
    this.#quotaBytes = Math.max(quotaBytes, this.#quotaBytes);
    return isMore;
  }

  /** Returns the bytes that a content of this size adds to those that are stored. */
  #added(sizeBytes: number): number {
    return Math.max(0, sizeBytes - this.#replacedBytes);
  }

  /**
   * Reserves the size without the bytes that it replaces. If the limits of the account do not allow both to be stored,
   * it reserves the whole size. Returns whether it reserves any.
   */
  async #reserveAnnounced(sizeBytes: number): Promise<boolean> {
    const replacedBytes = this.#replacedBytes;
    if (await this.#reserve(sizeBytes)) return true;
    if (replacedBytes === 0) return false;
    this.#replacedBytes = 0;
    if (await this.#reserve(sizeBytes)) return true;
    this.#replacedBytes = replacedBytes;
    return false;
  }

  /** Makes the reservation. It must survive a power cut, because it names the blob. */
  async #reserve(sizeBytes: number): Promise<boolean> {
    const addedBytes = this.#added(sizeBytes);
    const inFlightBytes = Math.min(sizeBytes, this.#replacedBytes);
    const reservation = {
      id: this.reservationId,
      accountId: this.#request.account.id,
      sizeBytes: addedBytes,
      blobId: this.blobId,
    };
    const add = async ({ reservations }: Transaction<'reservations'>): Promise<boolean> => {
      // An upload that adds nothing fits even if the quota has shrunk below the stored bytes.
      if (!(await reservations.add(reservation, addedBytes > 0 ? this.#quotaBytes : Number.MAX_SAFE_INTEGER)))
        return false;
      if (inFlightBytes === 0) return true;
      const isCounted = await reservations.countInFlight(this.reservationId, {
        byBytes: inFlightBytes,
        addedBytes: 0,
        quotaBytes: this.#quotaBytes,
        beyondBytes: beyondQuota(this.#quotaBytes),
      });
      if (!isCounted) await reservations.release(this.reservationId);
      return isCounted;
    };
    if (!(await this.#metadata.atomically(add, { account: this.#request.account.id }))) return false;
    this.#isBegun = true;
    this.#reservedBytes = addedBytes;
    this.#inFlightBytes = inFlightBytes;
    this.#countedBytes = sizeBytes;
    return true;
  }

  /** Counts the content's bytes up to `toBytes`, some of which have not arrived yet. */
  async #countInFlight(arrivedBytes: number, toBytes: number): Promise<boolean> {
    const inFlight = {
      byBytes: toBytes - this.#countedBytes,
      addedBytes: this.#added(arrivedBytes),
      quotaBytes: this.#quotaBytes,
      beyondBytes: this.#replacedBytes > 0 ? beyondQuota(this.#quotaBytes) : maxInFlightExcessBytes,
    };
    if (
      !(await this.#metadata.atomically(
        ({ reservations }) => reservations.countInFlight(this.reservationId, inFlight),
        this.#volatile(),
      ))
    )
      return false;
    this.#inFlightBytes += inFlight.byBytes;
    this.#countedBytes = toBytes;
    return true;
  }

  /** Counts of arriving bytes need not survive a power cut, because the next start frees all of them. */
  #volatile(): AtomicOptions {
    return { account: this.#request.account.id, isDurable: false };
  }

  async #refuseUnlessFits(sizeBytes: number): Promise<void> {
    const fits = async () => {
      const addedBytes = this.#added(sizeBytes);
      const account = addedBytes === 0 ? undefined : await this.#account();
      if (addedBytes === 0 || !account) return addedBytes === 0;
      const sumBytes = account.usedBytes + account.reservedBytes + addedBytes;
      return fitsQuota(account, addedBytes) || (this.#hasLookedAhead && sumBytes <= this.#quotaBytes);
    };
    if (!(await this.#orWithFreed(fits))) throw await this.#exceeded(this.#added(sizeBytes));
  }

  /** Returns the refusal of this many more bytes. */
  async #exceeded(addedBytes: number): Promise<Refusal> {
    return quotaExceeded(await this.#account(), addedBytes);
  }

  /** Returns the account as it is now. */
  #account(): Promise<Account | undefined> {
    return this.#metadata.read.accounts.find(this.#request.account.id);
  }
}
