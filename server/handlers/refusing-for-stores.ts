import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Runs `work`, for which stores that do not answer are a refusal. @throws STORAGE_UNAVAILABLE */
export async function refusingForStores<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnavailable = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
    throw isUnavailable ? Object.assign(new Refusal('STORAGE_UNAVAILABLE'), { cause: error }) : error;
  }
}
