import type { Readable } from 'node:stream';

/** Larger PDFs are not read. */
export const maxPdfBytes = 32 * 2 ** 20;

/** The bytes that may be a PDF. */
export interface PdfSource {
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/** Why there is no text. `no-pdf` is another format, and `no-reader` means that the operator has not installed it. */
export class PdfRefused extends Error {
  readonly reason:
    | 'no-pdf'
    | 'no-reader'
    | 'locked'
    | 'unreadable'
    | 'without-text'
    | 'too-long'
    | 'too-costly'
    | 'busy';

  constructor(reason: PdfRefused['reason']) {
    super(`The PDF was not read: ${reason}.`);
    this.name = 'PdfRefused';
    this.reason = reason;
  }
}

/** Reads the text of PDFs, within limits of time and memory, and outside of this process. */
export interface PdfReader {
  /**
   * Returns the text of all pages, at most `maxFileTextBytes` as UTF-8. Pages are separated by an empty line.
   *
   * @throws {PdfRefused}
   * @throws the signal's reason, and the errors of `source`
   */
  textOf(source: PdfSource, signal: AbortSignal): Promise<string>;
}
