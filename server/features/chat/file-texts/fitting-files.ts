import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { servingOf } from '#server/features/files/serving.ts';
import { limitAdvice } from '../budgets/limit-advice.ts';
import { longestTokenBytes } from '../tokens/longest-token.ts';
import { maxFileTextBytes, type NamedFile } from './named-files.ts';
import { isPdfByName, notText } from './not-text.ts';
import { maxPdfBytes } from './pdf-reader.ts';
import { pdfRefusal } from './pdf-refusal.ts';

/** A file that was found, at a place of the request. */
interface PlacedFile extends NamedFile {
  readonly object: Pick<StoredObject, 'accountId' | 'key' | 'disposition' | 'originalName' | 'sizeBytes'>;
}

/** Types of files that are never text. They are looked at only if a file is too large to be read. */
const noTexts = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:zip|gzip)$)/;

/**
 * Checks by their sizes that files may fit into the context window, before they are read. A file that passes may still
 * have too many tokens. Each place counts, because the model gets the text at each of them. How much text a PDF has is
 * not known before.
 *
 * @returns the bytes of all places together, without those of PDFs
 * @throws context_length_exceeded
 * @throws file_not_text for a file that is too large, and no text by its name: less history would not help
 */
export function requireFittingFiles(files: readonly PlacedFile[], contextTokens: number): number {
  let totalBytes = 0;
  for (const file of files) {
    const { sizeBytes, accountId } = file.object;
    if (isPdfByName(file.object)) {
      if (sizeBytes > maxPdfBytes) throw pdfRefusal(file, 'too-large');
      continue;
    }
    totalBytes += sizeBytes;
    const isLong = totalBytes > contextTokens * longestTokenBytes;
    if (!isLong && totalBytes <= maxFileTextBytes) continue;
    if (noTexts.test(servingOf(file.object).contentType)) throw notText(file);
    // Agents read the two numbers, and shorten their history.
    const tooLong = isLong
      ? `Prompt is too long: at least ${Math.ceil(totalBytes / longestTokenBytes)} tokens > ${contextTokens} maximum.`
      : `Prompt is too long: at least ${totalBytes} bytes of files > ${maxFileTextBytes} maximum.`;
    const named = `${file.place} names the file ${shownValue(file.id)} of ${sizeBytes} bytes. It was not read.`;
    const advice = isLong ? ` ${limitAdvice(accountId, 'contextTokens')}` : '';
    throw new Refusal('context_length_exceeded', { detail: `${tooLong} ${named}${advice}` });
  }
  return totalBytes;
}
