import { beginTask, readInput, tell } from '#server/backends/task-child.ts';
import { formatOf } from '../image-bytes.ts';
import type { ImageFormat } from '../variant.ts';
import type { ImageRefused, Rendering } from '../image-ports.ts';
import type { FromRenderer, RenderTask } from './messages.ts';

/** How often the process looks at its own memory. */
const watchEveryMs = 20;

/** Both take many times as long with more effort, and save little. */
const [avifEffort, webpEffort] = [2, 2];
const standardQuality = { jpeg: 80, webp: 80, avif: 50 } as const;

/** Above so many pixels, AVIF takes seconds. */
const mostAvifPixels = 4_000_000;

/** The only decoders that may run. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`);

/** Makes one variant of the image that comes over the input. */
export async function renderOnce(task: RenderTask): Promise<void> {
  beginTask();
  watchMemory(task.mostMemoryBytes);
  const source = await readInput(task.sourceBytes);
  const { bytes, format } = await render(source, task);
  await say({ type: 'rendered', format, sizeBytes: bytes.length });
  // The server ends this process once it has read them. Node throws away what it has not read from one that has ended.
  process.stdout.write(bytes);
}

/** Decoders do not run on this thread, so its timer fires while they work. */
function watchMemory(mostBytes: number): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= mostBytes) return;
    clearInterval(timer);
    void refuse('too-costly');
  }, watchEveryMs);
}

async function render(
  source: Buffer,
  { rendering, mostPixels }: RenderTask,
): Promise<{ readonly bytes: Buffer; readonly format: ImageFormat }> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  sharp.concurrency(1);
  sharp.cache(false);
  // The limit of pixels is checked here, so that it has a code of its own.
  const options = { limitInputPixels: false, failOn: 'error', pages: 1, sequentialRead: true } as const;
  try {
    const about = await sharp(source, options).metadata();
    const image = { width: about.autoOrient.width, height: about.autoOrient.height };
    if (about.width * about.height > mostPixels) return await refuse('too-large');
    const box = boxOf(image, rendering);
    const format = formatFor(rendering, source, box, about.hasAlpha);
    const resized = sharp(source, options)
      .autoOrient()
      .resize({ ...box, fit: rendering.fit === 'cover' ? 'cover' : 'fill' });
    return { bytes: await encoded(resized, format, rendering.quality).toBuffer(), format };
  } catch {
    return refuse('unreadable');
  }
}

interface Box {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of the variant. It has the wanted proportions, and is never larger than the image. */
function boxOf(image: Box, { width, height, fit }: Rendering): Box {
  const [x, y] = [(width ?? Infinity) / image.width, (height ?? Infinity) / image.height];
  const scaled = (size: number, factor: number) => Math.max(1, Math.round(size * factor));
  if (fit === 'contain' || width === null || height === null) {
    const factor = Math.min(x, y, 1);
    return { width: scaled(image.width, factor), height: scaled(image.height, factor) };
  }
  const factor = 1 / Math.max(x, y, 1);
  return { width: scaled(width, factor), height: scaled(height, factor) };
}

function formatFor({ format }: Rendering, source: Buffer, { width, height }: Box, hasAlpha: boolean): ImageFormat {
  if (format === 'avif') return width * height > mostAvifPixels ? 'webp' : 'avif';
  if (format !== 'source') return format;
  const own = formatOf(source);
  if (own === 'jpeg' || own === 'png') return own;
  return hasAlpha ? 'png' : 'jpeg';
}

/** Encodes without the metadata of the image, so without the place where a photo was taken. */
function encoded(image: import('sharp').Sharp, format: ImageFormat, quality: number | null): import('sharp').Sharp {
  if (format === 'png') return image.png({ compressionLevel: 9 });
  const options = { quality: quality ?? standardQuality[format] };
  if (format === 'webp') return image.webp({ ...options, effort: webpEffort });
  if (format === 'avif') return image.avif({ ...options, effort: avifEffort });
  // JPEG has no transparency.
  return image.flatten({ background: '#ffffff' }).jpeg(options);
}

async function refuse(reason: ImageRefused['reason']): Promise<never> {
  await say({ type: 'refused', reason });
  process.exit();
}

const say = (message: FromRenderer) => tell(message);
