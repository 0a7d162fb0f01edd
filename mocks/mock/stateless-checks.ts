import type { OperationId } from '#generated/policies.ts';
import type { Operation } from '#server/http/operation.ts';
import type { Reply } from '#server/http/reply.ts';
import { maxPartBytes, maxUploadBytes, minUploadBytes } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { Measure } from './measure.ts';
import { parts, type MockPart } from './parts.ts';
import { NeedsState } from './stateless.ts';

/** The operations of links and pages. A mock knows no link, session or form, so each of them leads somewhere. */
const unchecked: ReadonlySet<OperationId> = new Set<OperationId>([
  'openDownloadLink',
  'openShare',
  'submitSharePassword',
  'showActivationPage',
  'submitActivation',
]);

const lateChecks: NonNullable<MockPart['lateChecks']> = Object.assign(
  {
    async uploadObject({ checksumSha256 }: { readonly checksumSha256: string | undefined }, { file }) {
      const received = await Measure.of(file.bytes, maxUploadBytes, 'FILE_TOO_LARGE');
      if (received.sizeBytes < minUploadBytes)
        throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${received.sizeBytes}.` });
      received.requireSha256(checksumSha256);
    },
    async putChunkedPart({ checksumSha256 }: { readonly checksumSha256: string | undefined }, { bytes }) {
      const received = await Measure.of(bytes.bytes, maxPartBytes, 'CHUNK_TOO_LARGE');
      if (received.sizeBytes === 0) throw new Refusal('EMPTY_CHUNK');
      received.requireSha256(checksumSha256);
    },
  } satisfies MockPart['lateChecks'],
  ...parts.map((part) => part.lateChecks),
);

/**
 * Runs the checks of an operation, until the real one needs something stored.
 *
 * @returns the server's own response, if it comes without anything stored
 * @throws what the server refuses
 */
export async function checkStateless(
  id: OperationId,
  operation: Operation<never, Call, Reply>,
  command: never,
  call: Call,
): Promise<Reply | void> {
  if (unchecked.has(id)) return undefined;
  // An upload looks at the account first, then at the bytes, which it would put into a store.
  if (id !== 'uploadObject')
    try {
      await (typeof operation === 'function' ? operation(command, call) : operation.run(command, call));
    } catch (error) {
      if (!(error instanceof NeedsState)) throw error;
    }
  return lateChecks[id]?.(command, call);
}
