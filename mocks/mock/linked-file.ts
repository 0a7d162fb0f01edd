import type { OperationId } from '#generated/policies.ts';
import type { Reply } from '#server/http/reply.ts';
import { servingOf } from '#server/features/files/serving.ts';
import type { Call } from '#server/handlers/call.ts';
import { linkedRepresentation } from '#server/features/files/handlers/file-representation.ts';
import { previewHeaders } from '#server/features/shares/pages/share-preview.ts';
import type { Input } from './fitting-example.ts';
import { openSample, sampleFile } from './sample-file.ts';
import { mockAccountId } from './stateless.ts';

/** The file behind every link of the mock. */
const { object, content } = sampleFile({ accountId: mockAccountId, key: 'photos/beach.png' });

/**
 * Returns the file behind a link as the server sends it, with ranges and conditional requests. Undefined if the
 * response is another one: a share link shows browsers a page, unless `download=1` asks for the file, in the address or
 * in the form.
 */
export function linkedFile(id: OperationId, { query = {}, body }: Input, { browser }: Call): Reply | undefined {
  if (id !== 'openDownloadLink' && id !== 'openShare' && id !== 'submitSharePassword') return undefined;
  if (id === 'submitSharePassword' && !isOpening(body)) return undefined;
  const isShare = id !== 'openDownloadLink';
  const isPreview = id === 'openShare' && query.preview === '1';
  if (id === 'openShare' && !isPreview && browser.asksForHtml && query.download !== '1') return undefined;
  const { contentType, filename } = servingOf(object);
  const disposition = isShare && !isPreview ? 'attachment' : 'inline';
  const open = (range: Parameters<typeof openSample>[1]) => openSample(content, range);
  const file = linkedRepresentation(object, { contentType, disposition, filename }, open);
  return {
    status: 200,
    body: isPreview ? { ...file, headers: { ...file.headers, ...previewHeaders('image') } } : file,
  };
}

function isOpening(form: unknown): boolean {
  return typeof form === 'object' && form !== null && ('download' in form || 'file' in form);
}
