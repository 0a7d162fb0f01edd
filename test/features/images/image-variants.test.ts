import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { ImageVariants } from '#server/features/images/image-variants.ts';
import { parseVariant } from '#server/features/images/variant.ts';
import { BlobMissing } from '#server/domain/ports/blobs.ts';
import type { Content } from '#server/domain/contents/table.ts';
import { ImageRefused, type CachedVariant, type ImageRenderer } from '#server/features/images/image-ports.ts';
import { TestClock } from '#test/support/clock.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const small = parseVariant({ w: '10' });
const other = parseVariant({ w: '20' });

function contentOf(id: string, bytes: Buffer = png): Content {
  return { id, sizeBytes: bytes.length, blobs: [{ blobId: `blob-${id}`, sizeBytes: bytes.length, inline: bytes }] };
}

/** A renderer that does what the test says, and counts. */
function started({ parallel = 1 } = {}) {
  const kept = new Map<string, CachedVariant>();
  const clock = new TestClock();
  const state = { renders: 0, running: 0, mostRunning: 0, next: async (): Promise<void> => {} };
  const renderer: ImageRenderer = {
    async render(_source, _rendering, keep) {
      state.renders++;
      state.mostRunning = Math.max(state.mostRunning, ++state.running);
      try {
        await state.next();
        return await keep({ format: 'png', sizeBytes: 3, bytes: Readable.from([Buffer.from('png')]) });
      } finally {
        state.running--;
      }
    },
  };
  const variants = new ImageVariants({
    clock,
    parallel,
    renderer,
    blobs: { open: async () => Readable.from([]) },
    cache: {
      find: async (contentId, key) => kept.get(`${contentId}/${key}`),
      async put(contentId, key, { format, sizeBytes }) {
        const path = `${contentId}/${key}`;
        const open = async () => (kept.has(path) ? Readable.from([Buffer.from('png')]) : undefined);
        const cached: CachedVariant = { format, sizeBytes, etag: `etag of ${path}`, open };
        kept.set(path, cached);
        return cached;
      },
      has: () => false,
      drop: async () => {},
      contents: async () => [],
    },
  });
  return { variants, state, clock, kept };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { readonly code?: unknown }) => error.code ?? error,
  );

describe('ImageVariants', () => {
  it('makes a variant once for many requests, and again for another variant or content', async () => {
    const { variants, state } = started({ parallel: 4 });
    state.next = () => sleep(20);
    await Promise.all(Array.from({ length: 20 }, () => variants.of(contentOf('a'), small, [])));
    await variants.of(contentOf('a'), small, []);
    expect(state.renders).toBe(1);
    await variants.of(contentOf('a'), other, []);
    await variants.of(contentOf('b'), small, []);
    await variants.of(contentOf('b'), small, ['webp']);
    await variants.of(contentOf('b'), parseVariant({ w: '10', f: 'webp' }), []);
    expect(state.renders).toBe(4);
  });

  it('makes a few at a time, lets 32 wait and refuses further ones', async () => {
    const { variants, state } = started({ parallel: 2 });
    const gate = Promise.withResolvers<void>();
    state.next = () => gate.promise;
    const asked = Array.from({ length: 40 }, (_, at) => variants.of(contentOf(`c${at}`), small, []));
    const codes = Promise.all(asked.map(codeOf));
    await sleep(20);
    expect([state.running, variants.waiting]).toEqual([2, 32]);
    gate.resolve();
    expect((await codes).filter((code) => code === 'IMAGE_QUEUE_FULL')).toHaveLength(6);
    expect((await codes).filter((code) => code === undefined)).toHaveLength(34);
    expect([state.renders, state.mostRunning, variants.waiting]).toEqual([34, 2, 0]);
    expect(await codeOf(variants.of(contentOf('c39'), small, []))).toBeUndefined();
  });

  it.each([
    ['too-large', 'IMAGE_TOO_LARGE'],
    ['unreadable', 'IMAGE_UNREADABLE'],
    ['too-costly', 'IMAGE_TOO_COSTLY'],
  ] as const)('tries an image that is %s once in ten minutes', async (reason, code) => {
    const { variants, state, clock } = started();
    state.next = () => Promise.reject(new ImageRefused(reason));
    // The second one waits while the first is tried.
    const both = [small, other].map((variant) => codeOf(variants.of(contentOf('a'), variant, [])));
    expect(await Promise.all(both)).toEqual([code, code]);
    clock.advance(599_999);
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBe(code);
    expect(state.renders).toBe(1);
    clock.advance(1);
    state.next = async () => {};
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBeUndefined();
  });

  it('tries again after a fault', async () => {
    const { variants, state } = started();
    const fault = new Error('The store is gone.');
    state.next = () => Promise.reject(fault);
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBe(fault);
    state.next = async () => {};
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBeUndefined();
  });

  it('asks clients to try again when the bytes have gone meanwhile', async () => {
    const { variants, state } = started();
    state.next = () => Promise.reject(new BlobMissing('blob', undefined));
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBe('STORAGE_UNAVAILABLE');
    state.next = async () => {};
    expect(await codeOf(variants.of(contentOf('a'), small, []))).toBeUndefined();
  });

  it.each([
    ['a text', Buffer.from('no image at all, but long enough to be one')],
    ['a GIF', Buffer.from('GIF89a and more')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a single byte', Buffer.from([0xff])],
    ['empty', Buffer.alloc(0)],
  ])('starts nothing for a file that is %s', async (_what, bytes) => {
    const { variants, state } = started();
    expect(await codeOf(variants.of(contentOf('a', bytes), small, []))).toBe('NOT_AN_IMAGE');
    expect(state.renders).toBe(0);
  });

  it('makes a variant again that has left the cache since it was found', async () => {
    const { variants, state, kept } = started();
    const opened = await variants.of(contentOf('a'), small, []);
    kept.clear();
    expect((await opened.open(undefined)).readable).toBe(true);
    expect(state.renders).toBe(2);
  });
});
