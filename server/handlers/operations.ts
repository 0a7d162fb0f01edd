import type { OperationsHandlers } from '#generated/router.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { done } from './wire.ts';

interface Deps {
  /** Whether the stores work and the server is not stopping. */
  isReady(): Promise<boolean>;
  /** Whether the disk has no free space for new files. */
  isFull(): boolean;
  /** Whether the store of larger files does not work. */
  areBlobsDown(): boolean;
  readonly metrics: { readonly contentType: string; render(): Promise<string> };
}

/** Returns the handlers of health and metrics, for the operator. */
export function operationsHandlers({ isReady, isFull, areBlobsDown, metrics }: Deps): OperationsHandlers<Call> {
  return {
    async getLiveness() {
      return done;
    },
    async getReadiness() {
      if (!(await isReady())) throw new Refusal('NOT_READY');
      const storage = isFull() ? 'full' : 'available';
      return {
        status: 200,
        body: { status: 'success', storage, large_files: areBlobsDown() ? 'unavailable' : 'available' },
      };
    },
    async getMetrics() {
      return { status: 200, body: await metrics.render(), headers: { 'Content-Type': metrics.contentType } };
    },
  };
}
