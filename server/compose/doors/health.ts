import type { OperationsHandlers } from '#generated/router.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Call } from '#server/handlers/call.ts';
import { operationsHandlers } from '#server/handlers/operations.ts';
import type { Given } from './given.ts';

/** Returns the handlers of health and metrics, which two doors have. */
export function healthHandlers({ stores, metrics }: Given, isStopping: () => boolean): OperationsHandlers<Call> {
  const { metadata, diskSpace, shared } = stores;
  return operationsHandlers({
    isReady: async () => !isStopping() && (shared?.isLive() ?? true) && (await isReadable(metadata)),
    isFull: () => diskSpace.state().isFull,
    areBlobsDown: () => stores.areBlobsDown?.() ?? false,
    metrics,
  });
}

/** Whether the metadata store can be read. */
async function isReadable(metadata: Metadata): Promise<boolean> {
  try {
    await metadata.read.accounts.find('');
    return true;
  } catch {
    return false;
  }
}
