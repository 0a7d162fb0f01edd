import { MetadataFailed, MetadataUnavailable } from './ports/metadata.ts';
import { Refusal } from './refusal.ts';

/**
 * Makes a handler for `catch()`. It turns a failure of the metadata store into this refusal, with the failure as its
 * cause. It rethrows all other errors, also that of an unavailable store, which the doors turn into
 * STORAGE_UNAVAILABLE.
 */
export function failedAs(code: Refusal['code']): (error: unknown) => never {
  return (error) => {
    const isBroken = error instanceof MetadataFailed && !(error instanceof MetadataUnavailable);
    throw isBroken ? new Refusal(code, { cause: error }) : error;
  };
}

/**
 * Throws if the store was unavailable for all entries of a batch. Nothing was done then, so the whole request may be
 * repeated. If some entries were done, the report of the batch has to say which.
 *
 * @param failures for each entry its error, or whatever else became of it
 * @throws {MetadataUnavailable}
 */
export function requireSomeReached(failures: readonly unknown[]): void {
  if (failures.length > 0 && failures.every((failure) => failure instanceof MetadataUnavailable)) throw failures[0];
}
