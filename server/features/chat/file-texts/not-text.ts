import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { servingOf } from '#server/features/files/serving.ts';
import type { NamedFile } from './named-files.ts';

/** Returns the refusal of a file that is not text. */
export function notText({ id, place }: NamedFile): Refusal {
  return new Refusal('file_not_text', {
    message:
      `${place} names the file ${shownValue(id)}, which is not text in UTF-8 or UTF-16. ` +
      'The model gets only text. Send another file, or its text.',
  });
}

export function isPdfByName(object: Pick<StoredObject, 'key' | 'disposition' | 'originalName'>): boolean {
  return servingOf(object).contentType === 'application/pdf';
}
