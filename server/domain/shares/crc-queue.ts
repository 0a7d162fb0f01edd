import { crcWaitMs } from '../limits.ts';
import { crcContent } from '../objects/crc-contents.ts';
import { BlobMissing, type BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { CheckedFile } from './bundle-archive.ts';
import type { NamedFile } from './bundle.ts';

interface Deps {
  readonly metadata: Metadata<'contents'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  /** Called when a content could not be read. */
  onFault(error: unknown): void;
}

/** Contents of one bundle whose checksum is missing. */
interface Waiting {
  readonly contentIds: string[];
  /** Resolves when none is missing any more. */
  readonly done: Promise<void>;
  finish(): void;
}

/** About the bytes that are read in a second, for the time that a client is told to wait. */
const bytesPerSecond = 100 * 1024 * 1024;
const [leastRetrySeconds, mostRetrySeconds] = [2, 300];

/** The most bundles that wait. Further ones are refused, and a job reads their files later. */
const maxBundles = 200;

/**
 * Computes checksums that archives need and that older versions did not keep. A process has one, which reads one file
 * at a time. Bundles take turns, so a large one does not keep others waiting.
 */
export class CrcQueue {
  readonly #deps: Deps;
  readonly #bundles = new Map<string, Waiting>();
  #isRunning = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the files of a bundle with their checksums, as `find` looks them up. Waits a few seconds for those that are
   * missing.
   *
   * @param bundle names the bundle
   * @throws BUNDLE_NOT_READY if that takes longer. The work goes on
   */
  async checked(bundle: string, find: () => Promise<readonly NamedFile[]>): Promise<readonly CheckedFile[]> {
    const files = await find();
    if (files.every(isChecked)) return files;
    await this.#begin(bundle, files);
    const later = await find();
    if (later.every(isChecked)) return later;
    const missing = later.filter((file) => !isChecked(file));
    const seconds = Math.ceil(missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / bytesPerSecond);
    const retryAfterSeconds = Math.min(Math.max(seconds, leastRetrySeconds), mostRetrySeconds);
    throw new Refusal('BUNDLE_NOT_READY', { retryAfterSeconds });
  }

  /** Begins with the checksums of a bundle that nobody waits for yet. */
  prepare(bundle: string, files: readonly NamedFile[]): void {
    if (!files.every(isChecked)) void this.#begin(bundle, files);
  }

  async #begin(bundle: string, files: readonly NamedFile[]): Promise<void> {
    let waiting = this.#bundles.get(bundle);
    if (!waiting && this.#bundles.size < maxBundles) {
      const contentIds = new Set(files.filter((file) => !isChecked(file)).map(({ contentId }) => contentId));
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      waiting = { contentIds: [...contentIds], done, finish };
      this.#bundles.set(bundle, waiting);
      void this.#run();
    }
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, crcWaitMs);
    await Promise.race([waiting?.done, late]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined && !this.#deps.signal.aborted; next = this.#next())
      await crcContent(this.#deps, next).catch((error: unknown) => {
        // Lost bytes are reported by the scrub. Here each visit would report them again.
        if (!(error instanceof BlobMissing)) this.#deps.onFault(error);
      });
    this.#isRunning = false;
  }

  /** Takes a content of the bundle whose last turn is the longest ago. */
  #next(): string | undefined {
    for (const [bundle, waiting] of this.#bundles) {
      this.#bundles.delete(bundle);
      const contentId = waiting.contentIds.shift();
      if (contentId === undefined) waiting.finish();
      else {
        this.#bundles.set(bundle, waiting);
        return contentId;
      }
    }
    return undefined;
  }
}

function isChecked(file: NamedFile): file is CheckedFile {
  return file.crc32 !== null;
}
