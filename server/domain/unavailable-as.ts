import { MetadataUnavailable } from './ports/metadata.ts';
import { Refusal, type RefusalDetails } from './refusal.ts';

/**
 * Makes a handler for `catch()`. It turns a failure of the metadata store into this refusal, with the failure as its
 * cause, and rethrows other errors.
 */
export function unavailableAs(code: Refusal['code'], details: RefusalDetails = {}): (error: unknown) => never {
  return (error) => {
    throw error instanceof MetadataUnavailable ? new Refusal(code, { ...details, cause: error }) : error;
  };
}
