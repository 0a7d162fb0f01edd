import { briefly } from './briefly.ts';

/** Tries to delete a blob, before the daily sweep has to find it. The pauses between them double. */
const mostTries = 5;

/**
 * Deletes blobs once more whose put ended with an unknown outcome. A bucket may carry out a request long after its
 * client has given up, and then a blob appears that no row names.
 */
export class DoubtfulBlobs {
  readonly #remove: (blobId: string) => Promise<void>;
  readonly #delayMs: number;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(remove: (blobId: string) => Promise<void>, delayMs: number) {
    this.#remove = remove;
    this.#delayMs = delayMs;
  }

  /** Deletes a blob now, if the bucket lets it soon, and again later. Never rejects. */
  async remove(blobId: string): Promise<void> {
    this.removeLater(blobId);
    await briefly(this.#remove(blobId));
  }

  /** Deletes a blob only later. */
  removeLater(blobId: string): void {
    this.keep(blobId);
    this.#later(blobId, 1);
  }

  /** Keeps a blob whose id was put again with success. */
  keep(blobId: string): void {
    clearTimeout(this.#timers.get(blobId));
    this.#timers.delete(blobId);
  }

  /** Leaves the others to the sweep. */
  close(): void {
    for (const blobId of [...this.#timers.keys()]) this.keep(blobId);
  }

  #later(blobId: string, tries: number): void {
    const run = async (): Promise<void> => {
      this.#timers.delete(blobId);
      await this.#remove(blobId).catch(() => {
        if (tries < mostTries) this.#later(blobId, tries + 1);
      });
    };
    this.#timers.set(blobId, setTimeout(() => void run(), this.#delayMs * 2 ** (tries - 1)).unref());
  }
}
