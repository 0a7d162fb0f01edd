import { maxShownSentFiles } from './limits.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { signedStatement } from '#server/features/files/receipt.ts';
import type { FileRequest } from './file-request.ts';
import { findSender, type Sender, type SentFile } from './sender.ts';
import { findRequest } from './visit-request.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'fileRequests'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** What a sender has sent to a request. */
interface Sent {
  readonly request: FileRequest;
  readonly sender: Sender;
  /** The newest files, oldest first. */
  readonly files: readonly SentFile[];
}

/**
 * Returns what a sender has sent. It stays after the request has ended.
 *
 * @param secret of the sender's cookie
 * @throws FILE_REQUEST_NOT_FOUND, NOTHING_SENT
 */
export async function sentFiles(
  deps: Deps,
  { link, secret }: { readonly link: string; readonly secret: string | undefined },
): Promise<Sent> {
  const { metadata, secrets } = deps;
  const request = (await findRequest(deps, link))?.request;
  if (!request) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  const sender = await findSender(metadata.read, secrets, request.id, secret);
  if (!sender) throw new Refusal('NOTHING_SENT');
  const files = await metadata.read.fileRequests.filesOf(request.id, sender.hash, maxShownSentFiles);
  return { request, sender, files };
}

/**
 * Returns a signed statement about files that have arrived. It names them as their sender does, and says neither where
 * they were put nor what others have sent.
 */
export function receiptOfSent(
  secrets: Pick<Secrets, 'keyNumber' | 'signAsymmetric'>,
  { id, title }: Pick<FileRequest, 'id' | 'title'>,
  files: readonly SentFile[],
): string {
  return signedStatement(secrets, 'cubby-sent-receipt', {
    action: 'receive',
    file_request: id,
    title,
    files: files
      .filter(({ sha256 }) => sha256 !== null)
      .map(({ name, sizeBytes: size, sha256, receivedAt }) => ({
        name,
        size,
        sha256,
        at: new Date(receivedAt).toISOString(),
      })),
  });
}
