import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { imageProcesses, renderLimits } from '#server/features/images/backends/render-process.ts';
import { ImageRefused, type Rendering } from '#server/features/images/image-ports.ts';
import { aboutImage, picture, sidewaysPhoto } from '#test/support/images.ts';

const plain: Rendering = { width: 100, height: null, fit: 'contain', quality: null, format: 'source' };

function render(bytes: Uint8Array, rendering: Partial<Rendering> = {}, limits: Partial<typeof renderLimits> = {}) {
  const renderer = imageProcesses({ ...renderLimits, ...limits });
  const source = { sizeBytes: bytes.length, open: async () => Readable.from([bytes]) };
  return renderer.render(source, { ...plain, ...rendering }, async ({ format, sizeBytes, bytes: made }) => ({
    format,
    sizeBytes,
    bytes: await bytesOf(made, sizeBytes),
  }));
}

/** Reads so many bytes. The process does not end its output. */
async function bytesOf(source: Readable, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) {
    chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).length >= sizeBytes) break;
  }
  return Buffer.concat(chunks);
}

const sizeOf = async (bytes: Uint8Array, rendering: Partial<Rendering>) => {
  const { width, height } = await aboutImage((await render(bytes, rendering)).bytes);
  return [width, height];
};

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ImageRefused ? error.reason : error),
  );

describe('imageProcesses()', () => {
  it('turns a photo upright and drops its metadata', async () => {
    const photo = await sidewaysPhoto();
    expect((await aboutImage(photo)).exif).toBeDefined();
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const made = await render(photo, { format, width: 150 });
      const about = await aboutImage(made.bytes);
      expect([about.width, about.height, about.exif, about.orientation], format).toEqual([
        150,
        200,
        undefined,
        undefined,
      ]);
      expect([made.format, made.sizeBytes, made.bytes.includes('Secret camera')]).toEqual([
        format,
        made.bytes.length,
        false,
      ]);
    }
  });

  it.each<[wanted: Partial<Rendering>, size: readonly number[]]>([
    [{ width: 100, height: 100 }, [100, 50]],
    [{ width: null, height: 50 }, [100, 50]],
    [{ width: 1000, height: 1000 }, [400, 200]],
    [{ width: 100, height: 100, fit: 'cover' }, [100, 100]],
    [{ width: 1000, height: 1000, fit: 'cover' }, [200, 200]],
    [{ width: 4096, height: 1, fit: 'cover' }, [400, 1]],
    [{ width: 1, height: null }, [1, 1]],
  ])('keeps proportions and never enlarges: %j of 400x200 is %j', async (wanted, size) => {
    expect(await sizeOf(await picture(400, 200).png().toBuffer(), wanted)).toEqual(size);
  });

  it('gives WebP and AVIF to clients that know neither as JPEG, or as PNG with transparency', async () => {
    const opaque = await picture(40, 40).webp().toBuffer();
    const clear = await picture(40, 40).ensureAlpha(0.5).avif().toBuffer();
    expect((await render(opaque)).format).toBe('jpeg');
    expect((await render(clear)).format).toBe('png');
  });

  it('takes one frame of several', async () => {
    const frames = await sharp(
      [await picture(20, 20).png().toBuffer(), await picture(20, 20).negate().png().toBuffer()],
      {
        join: { animated: true },
      },
    )
      .webp()
      .toBuffer();
    expect((await aboutImage(frames)).pages).toBe(2);
    const { bytes } = await render(frames, { format: 'webp' });
    expect((await aboutImage(bytes)).pages ?? 1).toBe(1);
  });

  it('refuses an image with too many pixels before it decodes it', async () => {
    const png = await picture(400, 300).png().toBuffer();
    expect(await reasonOf(render(png, {}, { mostPixels: 119_999 }))).toBe('too-large');
    expect(await reasonOf(render(png, {}, { mostPixels: 120_000 }))).toBeUndefined();
  });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'refuses a %s that is cut off, damaged or only begins so',
    async (format) => {
      const whole = await picture(300, 300).toFormat(format).toBuffer();
      const damaged = Buffer.from(whole);
      damaged.fill(0, 20, 200);
      for (const bytes of [whole.subarray(0, whole.length / 2), whole.subarray(0, 40), damaged])
        expect(await reasonOf(render(bytes))).toBe('unreadable');
    },
  );

  it('decodes no other formats, whatever a caller sends', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const gif = await picture(20, 20).gif().toBuffer();
    const tiff = await picture(20, 20).tiff().toBuffer();
    for (const bytes of [svg, gif, tiff, Buffer.from('%PDF-1.7')])
      expect(await reasonOf(render(bytes))).toBe('unreadable');
  });

  it('kills a process that takes too long or too much memory', async () => {
    const large = await picture(4000, 4000).png({ compressionLevel: 1 }).toBuffer();
    const startedAt = performance.now();
    expect(await reasonOf(render(large, { format: 'avif', width: 4000 }, { timeoutMs: 400 }))).toBe('too-costly');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await reasonOf(render(large, {}, { mostMemoryBytes: 2 ** 20 }))).toBe('too-costly');
  });

  it('loses nothing when the bytes are read late', async () => {
    const png = await picture(300, 300).png().toBuffer();
    const source = { sizeBytes: png.length, open: async () => Readable.from([png]) };
    const read = await imageProcesses().render(source, { ...plain, width: 300 }, async ({ sizeBytes, bytes }) => {
      await sleep(1_000);
      return [(await bytesOf(bytes, sizeBytes)).length, sizeBytes];
    });
    expect(read[0]).toBe(read[1]);
  });

  it('passes on the error of a source', async () => {
    const broken = new Error('The disk is gone.');
    const source = {
      sizeBytes: 100,
      open: async () =>
        new Readable({
          read() {
            this.destroy(broken);
          },
        }),
    };
    await expect(imageProcesses().render(source, plain, async () => {})).rejects.toBe(broken);
  });
});
