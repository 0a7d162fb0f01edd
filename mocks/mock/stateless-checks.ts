import type { OperationId } from '#generated/policies.ts';
import type { Operation } from '#server/http/operation.ts';
import type { Reply } from '#server/http/reply.ts';
import { maxPartBytes, maxUploadBytes, minUploadBytes } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { ignored, refusedChange } from '#server/features/deploys/handlers/git/push-replies.ts';
import { readDelivery } from '#server/features/deploys/handlers/git/read-delivery.ts';
import { parseCursor } from '#server/domain/sequence-cursor.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import { Measure } from './measure.ts';
import { mockSecrets, NeedsState } from './stateless.ts';

/** The operations of links and pages. A mock knows no link, session or form, so each of them leads somewhere. */
const unchecked: ReadonlySet<OperationId> = new Set<OperationId>([
  'openDownloadLink',
  'openShare',
  'submitSharePassword',
  'showActivationPage',
  'submitActivation',
]);

/** Returns the server's own response, if it comes without anything stored. */
type LateCheck = (command: never, call: Call) => Promise<Reply | void>;

/** The checks that the server makes after its first look-up. Most of them read the body. */
const lateChecks: { readonly [id in OperationId]?: LateCheck } = {
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
  async listDeployments({ appId, cursor }: { readonly appId: string; readonly cursor: string | undefined }) {
    if (cursor !== undefined) parseCursor(mockSecrets, { purpose: 'deploys-cursor', ownerId: appId }, cursor);
  },
  async receiveGitPush(_command, call) {
    const { push } = await readDelivery(call, { secret: undefined, readsFiles: false }, systemClock.now());
    if (!push) return ignored;
    return push.changes.some(({ kind }) => kind === 'branch') ? undefined : refusedChange(push.changes[0]!);
  },
};

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
