import type { OperationId } from '#generated/policies.ts';
import type { Reply } from '#server/http/reply.ts';
import { servingOf } from '#server/features/files/serving.ts';
import type { Call } from '#server/handlers/call.ts';
import { linkedRepresentation } from '#server/features/files/handlers/file-representation.ts';
import type { Input } from './fitting-example.ts';
import { parts, type MockPart } from './parts.ts';
import { openSample, sampleFile } from './sample-file.ts';
import { mockAccountId } from './stateless.ts';

/** The file behind every link of the mock. */
const { object, content } = sampleFile({ accountId: mockAccountId, key: 'photos/beach.png' });

const links: NonNullable<MockPart['links']> = Object.assign(
  { openDownloadLink: () => ({ disposition: 'inline' }) },
  ...parts.map((part) => part.links),
);

/**
 * Returns the file behind a link as the server sends it, with ranges and conditional requests. Undefined if the
 * response is another one.
 */
export function linkedFile(id: OperationId, input: Input, call: Call): Reply | undefined {
  const sent = links[id]?.(input, call);
  if (!sent) return undefined;
  const { contentType, filename } = servingOf(object);
  const open = (range: Parameters<typeof openSample>[1]) => openSample(content, range);
  const file = linkedRepresentation(object, { contentType, disposition: sent.disposition, filename }, open);
  return { status: 200, body: sent.headers ? { ...file, headers: { ...file.headers, ...sent.headers } } : file };
}
