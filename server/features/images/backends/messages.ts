import type { ImageRefused, Rendering } from '../image-ports.ts';
import type { ImageFormat } from '../variant.ts';

/** The work of a process, in its argument. The bytes of the image come over its input. */
export interface RenderTask {
  readonly rendering: Rendering;
  readonly sourceBytes: number;
  readonly mostPixels: number;
  /** The memory of the whole process. */
  readonly mostMemoryBytes: number;
}

/** What the process says. The bytes of the variant follow over its output. */
export type FromRenderer =
  | { readonly type: 'rendered'; readonly format: ImageFormat; readonly sizeBytes: number }
  | { readonly type: 'refused'; readonly reason: ImageRefused['reason'] };
