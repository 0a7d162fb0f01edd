import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import type { Content } from '#server/domain/contents/table.ts';
import { readContent, type ReadDeps } from '#server/domain/contents/read-content.ts';
import { BlobMissing, type ByteRange } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import {
  ImageRefused,
  type CachedVariant,
  type ImageRenderer,
  type Rendering,
  type VariantCache,
} from './image-ports.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { Turns } from '#server/domain/turns.ts';
import { formatOf, headBytes } from './image-bytes.ts';
import { formatVariant, type ImageFormat, type Variant } from './variant.ts';

/** Larger files are not read. */
const mostSourceBytes = 100 * 2 ** 20;

/** How long an image that could not be decoded is not tried again, so that a decompression bomb costs only once. */
const refusedForMs = 600_000;
const mostRefused = 10_000;

/** Variants that wait for their turn. */
const mostWaiting = 32;

/** Part of every key. Another number makes all variants anew. */
const renderingNumber = 1;

const refusalCodes = {
  'too-large': 'IMAGE_TOO_LARGE',
  unreadable: 'IMAGE_UNREADABLE',
  'too-costly': 'IMAGE_TOO_COSTLY',
} as const satisfies Record<ImageRefused['reason'], unknown>;

type RefusedCode = (typeof refusalCodes)[ImageRefused['reason']];

interface Deps extends ReadDeps {
  readonly cache: VariantCache;
  readonly renderer: ImageRenderer;
  readonly clock: Clock;
  /** Variants that are made at the same time. */
  readonly parallel: number;
}

/** A variant that can be sent. */
interface OpenedVariant extends Omit<CachedVariant, 'open'> {
  open(range: ByteRange | undefined): ReturnType<typeof readContent>;
}

/** Makes variants of images, each once, and keeps them. */
export class ImageVariants {
  readonly #deps: Deps;
  readonly #turns: Turns;
  readonly #underWay = new Map<string, Promise<CachedVariant>>();
  readonly #refused = new LRUCache<string, { readonly code: RefusedCode; readonly until: number }>(atMost(mostRefused));

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#turns = new Turns({ running: deps.parallel, waiting: mostWaiting });
  }

  /** How many variants wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Returns a variant of a content.
   *
   * @param modern the formats that the client names, for `auto`
   * @throws NOT_AN_IMAGE, IMAGE_TOO_LARGE, IMAGE_UNREADABLE, IMAGE_TOO_COSTLY, IMAGE_QUEUE_FULL
   */
  async of(content: Content, variant: Variant, modern: readonly ImageFormat[]): Promise<OpenedVariant> {
    const rendering = renderingOf(variant, modern);
    const cached = await this.#cached(content, rendering);
    const open = async (range: ByteRange | undefined) => {
      const bytes = await cached.open(range);
      if (bytes) return bytes;
      // It left the cache meanwhile.
      const again = await this.#cached(content, rendering);
      const anew = again.etag === cached.etag ? await again.open(range) : undefined;
      if (!anew) throw new Error(`The variant of the content ${content.id} is another one than before.`);
      return anew;
    };
    return { format: cached.format, sizeBytes: cached.sizeBytes, etag: cached.etag, open };
  }

  async #cached(content: Content, rendering: Rendering): Promise<CachedVariant> {
    const key = keyOf(rendering);
    const found = await this.#deps.cache.find(content.id, key);
    if (found) return found;
    const flight = `${content.id}/${key}`;
    const underWay = this.#underWay.get(flight);
    if (underWay) return underWay;
    const made = this.#make(content, rendering, key)
      .catch((error: unknown) => {
        throw error instanceof BlobMissing ? goneMeanwhile(error) : error;
      })
      .finally(() => this.#underWay.delete(flight));
    this.#underWay.set(flight, made);
    return made;
  }

  async #make(content: Content, rendering: Rendering, key: string): Promise<CachedVariant> {
    this.#refuseAgain(content);
    await this.#requireImage(content);
    const made = this.#turns.take(() => this.#render(content, rendering, key));
    if (!made) throw new Refusal('IMAGE_QUEUE_FULL');
    return made;
  }

  async #render(content: Content, rendering: Rendering, key: string): Promise<CachedVariant> {
    // Another variant of it may have failed while this one waited.
    this.#refuseAgain(content);
    const { cache, renderer, clock } = this.#deps;
    const source = { sizeBytes: content.sizeBytes, open: () => readContent(this.#deps, content) };
    try {
      return await renderer.render(source, rendering, (rendered) => cache.put(content.id, key, rendered));
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      const code = refusalCodes[error.reason];
      this.#refused.set(content.id, { code, until: clock.now() + refusedForMs });
      throw new Refusal(code);
    }
  }

  #refuseAgain({ id }: Content): void {
    const refused = this.#refused.get(id);
    if (refused && refused.until > this.#deps.clock.now()) throw new Refusal(refused.code);
  }

  /** Looks at the first bytes, so that no process starts for a file that is no image. */
  async #requireImage(content: Content): Promise<void> {
    if (content.sizeBytes === 0) throw new Refusal('NOT_AN_IMAGE');
    const head = await readContent(this.#deps, content, { start: 0, end: Math.min(headBytes, content.sizeBytes) - 1 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of head) chunks.push(chunk as Uint8Array);
    if (!formatOf(Buffer.concat(chunks))) throw new Refusal('NOT_AN_IMAGE');
    if (content.sizeBytes > mostSourceBytes) throw new Refusal('IMAGE_TOO_LARGE');
  }
}

/** The file was replaced or deleted while its variant waited. The next request looks it up again. */
function goneMeanwhile(cause: BlobMissing): Refusal {
  return new Refusal('STORAGE_UNAVAILABLE', { cause });
}

function renderingOf(variant: Variant, modern: readonly ImageFormat[]): Rendering {
  const auto = (['avif', 'webp'] as const).find((format) => modern.includes(format)) ?? 'source';
  return { ...variant, format: variant.format === 'auto' ? auto : variant.format };
}

function keyOf({ format, ...rest }: Rendering): string {
  const text = `${renderingNumber} ${formatVariant({ ...rest, format: 'auto' })} ${format}`;
  return hash('sha256', text, 'hex').slice(0, 32);
}
