import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maxFileTextBytes, type NamedFile } from './named-files.ts';
import { maxPdfBytes, type PdfRefused } from './pdf-reader.ts';

/** What a caller can do. */
const advice = 'Send a file with its text.';

/** What is wrong with a PDF. */
const problems: Readonly<Record<Exclude<PdfRefused['reason'], 'busy' | 'too-long'> | 'too-large', string>> = {
  'no-pdf': 'has the name of a PDF, and is another format that is no text',
  'no-reader': 'is a PDF. The operator of this server has not installed unpdf, which reads the text of PDFs',
  locked: 'is a PDF with a password',
  unreadable: 'is a PDF that is damaged or incomplete',
  'without-text': 'is a PDF without text, such as a scan',
  'too-costly': 'is a PDF that takes too much time or memory to read',
  'too-large': `is a PDF of over ${maxPdfBytes} bytes`,
};

/** Returns the refusal of a PDF whose text cannot be read. */
export function pdfRefusal({ id, place }: NamedFile, reason: PdfRefused['reason'] | 'too-large'): Refusal {
  const named = `${place} names the file ${shownValue(id)}, which`;
  if (reason === 'busy') return new Refusal('server_overloaded');
  if (reason === 'too-long')
    return new Refusal('context_length_exceeded', {
      // Agents read the two numbers, and shorten their history.
      detail:
        `Prompt is too long: over ${maxFileTextBytes} bytes of files > ${maxFileTextBytes} maximum. ` +
        `${named} is a PDF with too much text, alone or together with the other files.`,
    });
  return new Refusal('file_not_text', { message: `${named} ${problems[reason]}. ${advice}` });
}
