import type { Readable } from 'node:stream';

import type { ImageFormat, Variant } from './variant.ts';
import type { ByteRange } from '#server/domain/ports/blobs.ts';

/** What is made of an image. */
export interface Rendering extends Omit<Variant, 'format'> {
  /** `source`: the format of the image if browsers of every age show it, or else JPEG or PNG. */
  readonly format: ImageFormat | 'source';
}

/** An image to make a variant of. */
interface ImageSource {
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/** A variant that was just made. */
export interface Rendered {
  readonly format: ImageFormat;
  readonly sizeBytes: number;
  /** Need not end after `sizeBytes`. */
  readonly bytes: Readable;
}

/** Why an image has no variant. The next try would end the same. */
export class ImageRefused extends Error {
  readonly reason: 'too-large' | 'unreadable' | 'too-costly';

  constructor(reason: ImageRefused['reason']) {
    super(`The image is ${reason}.`);
    this.name = 'ImageRefused';
    this.reason = reason;
  }
}

/** Decodes and encodes images, within limits of time and memory, and outside of this process. */
export interface ImageRenderer {
  /**
   * Makes a variant.
   *
   * @param keep reads the bytes to their end
   * @throws {ImageRefused}
   * @throws the errors of `source` and `keep`
   */
  render<T>(source: ImageSource, rendering: Rendering, keep: (rendered: Rendered) => Promise<T>): Promise<T>;
}

/** A variant in the cache. */
export interface CachedVariant {
  readonly format: ImageFormat;
  readonly sizeBytes: number;
  /** A hash of the bytes: different bytes have different tags. */
  readonly etag: string;
  /** Opens all bytes or a range. Undefined if the variant has left the cache. */
  open(range: ByteRange | undefined): Promise<Readable | undefined>;
}

/** Keeps variants, by the content that they are made of. The least recently used ones leave it. */
export interface VariantCache {
  find(contentId: string, key: string): Promise<CachedVariant | undefined>;
  put(contentId: string, key: string, rendered: Rendered): Promise<CachedVariant>;
  /** Whether it knows of variants of a content. */
  has(contentId: string): boolean;
  /** Removes all variants of a content. */
  drop(contentId: string): Promise<void>;
  /** Returns the contents that have variants. */
  contents(): Promise<readonly string[]>;
}
