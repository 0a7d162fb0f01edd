import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { parseUploadHandle } from './handle.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
}

/** The key that the file of an upload will have; undefined when the handle names no upload of the account. */
export async function uploadKey(
  { metadata, secrets }: Deps,
  accountId: string,
  handle: string,
): Promise<string | undefined> {
  try {
    return (await metadata.read.chunkedUploads.find(parseUploadHandle(secrets, accountId, handle)))?.plan.address.key;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
