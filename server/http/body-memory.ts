import { BodyError } from './body-error.ts';
import type { BodyPace } from './body-pace.ts';

/**
 * Who sent the bodies that are in memory: callers with a credential, anybody, or the senders of forms whose credential
 * is a field of the form.
 */
export type BodyHolder = 'caller' | 'anonymous' | 'form';

export const bodyHolders: readonly BodyHolder[] = ['caller', 'anonymous', 'form'];

/** The most bytes in memory: of all bodies of a holder, and of those from one address. */
export interface HeldLimits {
  readonly maxBytes: number;
  readonly maxBytesOfAddress: number;
}

interface BodyMemoryOptions {
  readonly limits: Readonly<Record<BodyHolder, HeldLimits>>;
  /** The slowest allowed body while it is buffered. */
  readonly slowest: BodyPace;
  /** Called when a body is refused, or is cut off because others need its place. */
  readonly onRefused?: (holder: BodyHolder) => void;
}

/** A body without a credential that is not complete after this time gives its place to another one. */
const patienceMs = 1000;

/** The least that a buffered body counts, because of the objects around it. */
const leastBytes = 1024;

/** The bodies of one holder. */
interface Used {
  bytes: number;
  readonly ofAddress: Map<string, number>;
  /** Bodies that are not complete, the oldest first. */
  readonly open: Set<BodyHold>;
}

/**
 * Counts the bytes of all request bodies that this process has in memory. Each holder has a limit of its own, so
 * requests without a credential use up nothing that callers need. Bytes count as they arrive.
 *
 * When the bodies of a holder without a credential fill its limit, the oldest ones that are still incomplete are cut
 * off. So a client that sends slowly cannot keep others out.
 */
export class BodyMemory {
  readonly slowest: BodyPace;
  readonly #limits: BodyMemoryOptions['limits'];
  readonly #onRefused: NonNullable<BodyMemoryOptions['onRefused']>;
  readonly #used: Readonly<Record<BodyHolder, Used>>;

  constructor({ limits, slowest, onRefused = () => {} }: BodyMemoryOptions) {
    this.slowest = slowest;
    this.#limits = limits;
    this.#onRefused = onRefused;
    const none = (): Used => ({ bytes: 0, ofAddress: new Map(), open: new Set() });
    this.#used = { caller: none(), anonymous: none(), form: none() };
  }

  /** Returns the bytes that a holder has in memory. */
  bytesOf(holder: BodyHolder): number {
    return this.#used[holder].bytes;
  }

  /**
   * Opens the account of one request. It holds nothing until bytes are taken.
   *
   * @param address of the client, as limits count it
   * @param cut closes the connection
   */
  open(holder: BodyHolder, address: string, cut: () => void): BodyHold {
    return new BodyHold(this, holder, address, cut);
  }

  /** @internal */
  add(hold: BodyHold, bytes: number): void {
    const { holder, address } = hold;
    const used = this.#used[holder];
    if (!this.#hasMemory(holder, address, bytes) && !this.#freeMemory(hold, bytes)) {
      this.#onRefused(holder);
      throw new BodyError('no-memory');
    }
    used.bytes += bytes;
    used.ofAddress.set(address, (used.ofAddress.get(address) ?? 0) + bytes);
    if (!hold.isComplete) used.open.add(hold);
  }

  /** @internal */
  remove(hold: BodyHold, bytes: number): void {
    const { holder, address } = hold;
    const used = this.#used[holder];
    used.bytes -= bytes;
    const left = used.ofAddress.get(address)! - bytes;
    if (left > 0) used.ofAddress.set(address, left);
    else used.ofAddress.delete(address);
    this.complete(hold);
  }

  /** @internal */
  complete(hold: BodyHold): void {
    this.#used[hold.holder].open.delete(hold);
  }

  #hasMemory(holder: BodyHolder, address: string, bytes: number): boolean {
    const { maxBytes, maxBytesOfAddress } = this.#limits[holder];
    const used = this.#used[holder];
    return used.bytes + bytes <= maxBytes && (used.ofAddress.get(address) ?? 0) + bytes <= maxBytesOfAddress;
  }

  /** Cuts off old bodies until there is memory. Returns whether there is. */
  #freeMemory(hold: BodyHold, bytes: number): boolean {
    const { holder, address } = hold;
    if (holder === 'caller') return false;
    const { maxBytesOfAddress } = this.#limits[holder];
    const { open, ofAddress } = this.#used[holder];
    const before = performance.now() - patienceMs;
    for (const old of open) {
      if (old.since > before) break;
      const isOfFullAddress = (ofAddress.get(address) ?? 0) + bytes > maxBytesOfAddress;
      if (old === hold || (isOfFullAddress && old.address !== address)) continue;
      this.#onRefused(holder);
      old.cutOff();
      if (this.#hasMemory(holder, address, bytes)) return true;
    }
    return false;
  }
}

/** The bytes of one request that are in memory. */
export class BodyHold {
  readonly since = performance.now();
  readonly address: string;
  readonly #memory: BodyMemory;
  readonly #cut: () => void;
  #holder: BodyHolder;
  #bytes = 0;
  #isComplete = false;
  #isReleased = false;

  constructor(memory: BodyMemory, holder: BodyHolder, address: string, cut: () => void) {
    this.#memory = memory;
    this.#holder = holder;
    this.address = address;
    this.#cut = cut;
  }

  get holder(): BodyHolder {
    return this.#holder;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get slowest(): BodyPace {
    return this.#memory.slowest;
  }

  /** Counts more bytes. @throws {BodyError} `no-memory` when the memory for them is used up */
  take(bytes: number): void {
    if (bytes === 0 || this.#isReleased) return;
    const counted = this.#bytes === 0 ? Math.max(bytes, leastBytes) : bytes;
    this.#memory.add(this, counted);
    this.#bytes += counted;
  }

  /** The body is complete. It is not cut off for others any more. */
  complete(): void {
    this.#isComplete = true;
    this.#memory.complete(this);
  }

  /** Counts the bytes as those of another holder: the credential is checked now. @throws {BodyError} `no-memory` */
  moveTo(holder: BodyHolder): void {
    const bytes = this.#bytes;
    if (holder === this.#holder) return;
    if (bytes > 0) this.#memory.remove(this, bytes);
    this.#bytes = 0;
    this.#holder = holder;
    this.take(bytes);
  }

  /** Frees the bytes, and closes the connection. */
  cutOff(): void {
    this.release();
    this.#cut();
  }

  /** The bytes are no longer in memory. May be called twice. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    if (this.#bytes > 0) this.#memory.remove(this, this.#bytes);
  }
}
