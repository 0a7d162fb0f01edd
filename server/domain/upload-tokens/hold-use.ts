import type { Metadata } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { UploadToken } from './upload-token.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/**
 * Runs an upload that spends a use of its token: the use is taken before a byte flows, so that uploads side by side never
 * pass the token's uses, and given back when `upload` fails. The transaction that stores the file has to `keepHeld` it.
 * Without a token it just runs.
 *
 * @throws UPLOAD_TOKEN_USED, and what `upload` does
 */
export async function withHeldUse<T>({ metadata }: Deps, token: UploadToken | undefined, upload: () => Promise<T>): Promise<T> {
  if (!token) return upload();
  if (!(await metadata.atomically((tx) => tx.uploadTokens.hold(token.id)))) throw new Refusal('UPLOAD_TOKEN_USED');
  try {
    return await upload();
  } catch (error) {
    await giveBack(metadata, token.id);
    throw error;
  }
}

/** While the metadata store cannot be written the use stays held; the next start of the server gives it back. */
async function giveBack(metadata: Deps['metadata'], tokenId: string): Promise<void> {
  await metadata.atomically((tx) => tx.uploadTokens.giveBackHeld(tokenId)).catch(() => undefined);
}
