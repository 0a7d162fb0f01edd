import { setTimeout as sleep } from 'node:timers/promises';

import { circuitBreaker, type CircuitBreaker, type Trial } from '#server/circuit-breaker.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';

interface BucketHealthOptions {
  /** Asks the bucket for something small. Rejects if the bucket does not work. */
  readonly probe: () => Promise<void>;
  /** Called when the bucket goes down and when it is back. */
  readonly onChange: (isDown: boolean) => void;
  /** The pause between two probes. */
  readonly pauseMs: number;
}

/**
 * Keeps requests away from a bucket that is down. They fail at once instead of waiting. Meanwhile it probes the bucket
 * by itself, so that no user waits for a probe.
 */
export class BucketHealth {
  readonly #options: BucketHealthOptions;
  readonly #breaker: CircuitBreaker;
  readonly #closing = new AbortController();
  #isDown = false;

  constructor(options: BucketHealthOptions) {
    this.#options = options;
    this.#breaker = circuitBreaker({ nowMs: () => performance.now(), pauseMs: options.pauseMs });
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /**
   * Lets a request through.
   *
   * @param request the same object for each try of a request
   * @throws {BlobStoreUnavailable} while the bucket is down
   */
  admit(request: object): Trial {
    const trial = this.#isDown ? undefined : this.#breaker.mayTry(request);
    if (trial) return trial;
    throw new BlobStoreUnavailable(
      'The bucket does not work at the moment. It is tried again every second.',
      undefined,
    );
  }

  /** Reports a failed try. */
  failed(trial: Trial): void {
    if (!trial.failed() || this.#isDown || this.#closing.signal.aborted) return;
    this.#isDown = true;
    this.#options.onChange(true);
    void this.#probeUntilUp();
  }

  /** Ends the probes. */
  close(): void {
    this.#closing.abort();
  }

  async #probeUntilUp(): Promise<void> {
    const { probe, onChange, pauseMs } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // Replicas should not all ask at the same moment.
      await sleep(pauseMs * (1 + Math.random() / 4), undefined, { ref: false, signal }).catch(() => {});
      const trial = this.#breaker.mayTry({});
      if (!trial || signal.aborted) continue;
      try {
        await probe();
        trial.succeeded();
        this.#isDown = false;
        return onChange(false);
      } catch {
        trial.failed();
      }
    }
  }
}
