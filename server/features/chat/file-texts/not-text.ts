import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { servingOf } from '#server/features/files/serving.ts';
import type { NamedFile } from './named-files.ts';

/** A file whose bytes or name show that it is no text. */
interface OtherFile extends NamedFile {
  readonly object: Pick<StoredObject, 'key' | 'disposition' | 'originalName'>;
}

/** Returns the refusal of a file that is not text. @param isPdf default: what its name says */
export function notText({ id, place, object }: OtherFile, isPdf = isPdfByName(object)): Refusal {
  const named = `${place} names the file ${shownValue(id)}, which`;
  return new Refusal('file_not_text', {
    message: isPdf
      ? `${named} is a PDF. The gateway does not read the text of PDFs. Send a file with that text.`
      : `${named} is not text in UTF-8 or UTF-16. The model gets only text. Send another file, or its text.`,
  });
}

function isPdfByName(object: OtherFile['object']): boolean {
  return servingOf(object).contentType === 'application/pdf';
}
