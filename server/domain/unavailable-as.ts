import { MetadataUnavailable } from './ports/metadata.ts';
import { Refusal, type RefusalDetails } from './refusal.ts';

/**
 * For a `catch()`: a metadata store that cannot work at the moment becomes this refusal, with its failure as the cause;
 * all else passes.
 */
export function unavailableAs(code: Refusal['code'], details: RefusalDetails = {}): (error: unknown) => never {
  return (error) => {
    throw error instanceof MetadataUnavailable ? new Refusal(code, { ...details, cause: error }) : error;
  };
}
