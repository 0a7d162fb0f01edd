import type { DeltaReader } from '../models/chat-model.ts';
import type { ChatTurn } from '../conversation/conversation.ts';
import type { Attempt, Upstream } from './upstream.ts';

/**
 * An upstream that a new file of models may leave out while requests run. Then it closes when its last attempt ends. A
 * request that began earlier may still ask it, which opens it for that time.
 */
export class RetirableUpstream implements Upstream {
  readonly #open: () => Upstream;
  readonly #onClosed: () => void;
  #opened: Upstream | undefined;
  #attempts = 0;
  #isRetired = false;

  /** @param onClosed called each time it has closed after `retire()` */
  constructor(open: () => Upstream, onClosed: () => void) {
    this.#open = open;
    this.#onClosed = onClosed;
  }

  async ask(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void, requestId?: string): Promise<Attempt> {
    const upstream = this.#enter();
    try {
      return await upstream.ask(turn, signal, onBegun, requestId);
    } finally {
      this.#leave();
    }
  }

  async stream(turn: ChatTurn, signal: AbortSignal, reader: DeltaReader, requestId?: string): Promise<void> {
    const upstream = this.#enter();
    try {
      await upstream.stream(turn, signal, reader, requestId);
    } finally {
      this.#leave();
    }
  }

  retire(): void {
    this.#isRetired = true;
    this.#closeIfIdle();
  }

  /** Takes `retire()` back. */
  revive(): void {
    this.#isRetired = false;
  }

  async close(): Promise<void> {
    const upstream = this.#opened;
    this.#opened = undefined;
    await upstream?.close();
  }

  #enter(): Upstream {
    this.#attempts++;
    return (this.#opened ??= this.#open());
  }

  #leave(): void {
    this.#attempts--;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#isRetired || this.#attempts > 0) return;
    // Its connections are idle, so nothing is cut off.
    void this.close().catch(() => {});
    // The chain reports an attempt after it has ended.
    setImmediate(() => this.#isRetired && this.#attempts === 0 && this.#onClosed());
  }
}
