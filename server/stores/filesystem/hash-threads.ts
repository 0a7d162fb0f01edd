import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { BlobStoreFailed, type BlobHashes } from '#server/domain/ports/blobs.ts';

/**
 * A message to a thread: a piece of a content, its end, or that it broke off. The bytes of a piece are in shared
 * memory, so they are not copied.
 */
export type HashOrder =
  | {
      readonly kind: 'piece';
      readonly content: number;
      readonly bytes: Uint8Array;
      readonly wantsSha256: boolean;
    }
  | { readonly kind: 'end' | 'drop'; readonly content: number };

/** A thread's message after each piece, and with the hashes after the end. */
export interface HashReply {
  readonly content: number;
  readonly hashes?: BlobHashes;
}

/** Receives the replies about one content. */
export interface HashListener {
  hashedPiece(): void;
  hashedAll(hashes: BlobHashes): void;
  /** The thread has ended, and the hashes so far are lost. */
  lost(error: BlobStoreFailed): void;
}

/** Hashes one content. */
export interface ContentThread {
  /** Hashes bytes in shared memory. They must not change before the reply. */
  add(bytes: Uint8Array): void;
  end(): void;
  /** Forgets the content. It gets no more replies. May be called at any time. */
  drop(): void;
}

/** More threads than this find no more work: one thread receives the bytes for all of them. */
const mostThreads = 4;

/** A thread holds some megabytes of memory. A server without large uploads should not hold them. */
const idleMs = 60_000;

/**
 * Hashes contents beside the event loop. A thread starts when all others have a content, up to the number of cores. It
 * ends after a minute without one.
 */
export class HashThreads {
  readonly #most: number;
  readonly #threads = new Set<HashThread>();

  constructor(most = Math.min(mostThreads, availableParallelism())) {
    this.#most = most;
  }

  /** Begins a content, in the thread that has the fewest. */
  begin(wantsSha256: boolean, listener: HashListener): ContentThread {
    const [least] = [...this.#threads].sort((a, b) => a.contents - b.contents);
    const isFree = least !== undefined && (least.contents === 0 || this.#threads.size >= this.#most);
    return (isFree ? least : this.#start()).begin(wantsSha256, listener);
  }

  /** Ends the threads. Contents that are being hashed are lost. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #start(): HashThread {
    const thread = new HashThread(() => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}

class HashThread {
  readonly #worker = new Worker(new URL('./hash-thread.ts', import.meta.url));
  readonly #listeners = new Map<number, HashListener>();
  readonly #onEnd: () => void;
  #begun = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    // A thread without work must not keep the process alive.
    this.#worker.unref();
    let cause: unknown;
    this.#worker.on('message', (reply: HashReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => {
      cause = error;
      onEnd();
    });
    this.#worker.on('exit', () => {
      onEnd();
      clearTimeout(this.#idle);
      const lost = new BlobStoreFailed('The thread that hashes uploads has ended.', cause);
      for (const listener of this.#listeners.values()) listener.lost(lost);
      this.#listeners.clear();
    });
  }

  /** The number of contents that it hashes. */
  get contents(): number {
    return this.#listeners.size;
  }

  begin(wantsSha256: boolean, listener: HashListener): ContentThread {
    clearTimeout(this.#idle);
    const content = ++this.#begun;
    this.#listeners.set(content, listener);
    this.#worker.ref();
    return {
      add: (bytes) => this.#post({ kind: 'piece', content, bytes, wantsSha256 }),
      end: () => this.#post({ kind: 'end', content }),
      drop: () => {
        if (!this.#forget(content)) return;
        this.#post({ kind: 'drop', content });
      },
    };
  }

  async terminate(): Promise<void> {
    this.#onEnd();
    await this.#worker.terminate();
  }

  #post(order: HashOrder): void {
    this.#worker.postMessage(order);
  }

  #onReply({ content, hashes }: HashReply): void {
    const listener = this.#listeners.get(content);
    if (hashes === undefined) return listener?.hashedPiece();
    this.#forget(content);
    listener?.hashedAll(hashes);
  }

  /** Returns whether the content was known. */
  #forget(content: number): boolean {
    if (!this.#listeners.delete(content)) return false;
    if (this.#listeners.size > 0) return true;
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.terminate(), idleMs).unref();
    return true;
  }
}
