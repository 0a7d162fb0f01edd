import type { PdfRefused } from '../../file-texts/pdf-reader.ts';

/** The work of a process, in its argument. The bytes of the PDF come over its input. */
export interface PdfTask {
  readonly sourceBytes: number;
  readonly mostTextBytes: number;
  /** The memory of the whole process. */
  readonly mostMemoryBytes: number;
}

/** What the process says. The text follows over its output, as UTF-8. */
export type FromPdfProcess =
  | { readonly type: 'read'; readonly sizeBytes: number }
  | { readonly type: 'refused'; readonly reason: PdfRefused['reason'] };
