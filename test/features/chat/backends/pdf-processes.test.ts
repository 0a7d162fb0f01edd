import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';

import { afterAll, describe, expect, it } from 'vitest';

import { PdfProcesses } from '#server/features/chat/backends/pdf/pdf-processes.ts';
import { PdfRefused } from '#server/features/chat/file-texts/pdf-reader.ts';
import { lockedPdf, pdfOf } from '#test/support/pdfs.ts';

const patience = new AbortController().signal;
const sourceOf = (bytes: Uint8Array) => ({ sizeBytes: bytes.length, open: async () => Readable.from([bytes]) });
// On a busy machine a process takes far longer than its limit.
const standard = new PdfProcesses({ timeoutMs: 110_000 });
afterAll(() => standard.close());

/** Returns the text of a PDF, or why there is none. */
function read(bytes: Uint8Array, pdfs = standard, signal = patience): Promise<unknown> {
  return pdfs.textOf(sourceOf(bytes), signal).catch((error: unknown) => {
    if (error instanceof PdfRefused) return { refused: error.reason };
    throw error;
  });
}

const word = 'word '.repeat(20).trim();
const report = pdfOf([['Report of April', 'It was warm.'], [], ['A last (small) page: café.']]);
const long = pdfOf(Array.from({ length: 30 }, () => Array.from({ length: 40 }, () => word)));

describe('PdfProcesses', () => {
  it('returns the lines of all pages that have text', async () => {
    expect(await read(report)).toBe('Report of April\nIt was warm.\n\nA last (small) page: café.');
  });

  it.each([
    ['a scan', pdfOf([[], []]), 'without-text'],
    ['a PDF with a password', lockedPdf(), 'locked'],
    ['only the beginning of a PDF', report.subarray(0, 60), 'unreadable'],
    ['a text', Buffer.from('%!PS-Adobe'), 'no-pdf'],
    ['nothing', Buffer.alloc(0), 'no-pdf'],
  ])('refuses %s', async (_, bytes, reason) => {
    expect(await read(bytes)).toEqual({ refused: reason });
  });

  it('refuses more text than its limit, and takes as much', async () => {
    const text = String(await read(long));
    const limit = (mostTextBytes: number) => new PdfProcesses({ timeoutMs: 110_000, mostTextBytes });
    // The empty line after the last page counts too.
    expect(await read(long, limit(text.length + 2))).toBe(text);
    expect(await read(long, limit(text.length + 1))).toEqual({ refused: 'too-long' });
  });

  it('kills a process that takes too much time or memory', async () => {
    expect(await read(report, new PdfProcesses({ timeoutMs: 1 }))).toEqual({ refused: 'too-costly' });
    expect(await read(report, new PdfProcesses({ mostMemoryBytes: 2 ** 20 }))).toEqual({ refused: 'too-costly' });
  });

  it('kills a process whose request has gone', async () => {
    const going = new AbortController();
    const reading = read(long, standard, going.signal);
    going.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    expect(await read(report)).toContain('It was warm.');
  });

  it('passes on the error of a source', async () => {
    const broken = new Error('The disk is gone.');
    const open = async () => new Readable({ read: (): void => void 0, construct: (done) => done(broken) });
    await expect(standard.textOf({ sizeBytes: 9, open }, patience)).rejects.toBe(broken);
  });

  it('lets only some wait', async () => {
    const pdfs = new PdfProcesses({ timeoutMs: 110_000, mostWaiting: 1 });
    const running = Math.max(1, availableParallelism() - 1);
    const outcomes = await Promise.all(Array.from({ length: running + 2 }, () => read(report, pdfs)));
    expect(outcomes.map((outcome) => typeof outcome === 'string')).toEqual([
      ...Array<boolean>(running + 1).fill(true),
      false,
    ]);
    expect(outcomes.at(-1)).toEqual({ refused: 'busy' });
  });
});
