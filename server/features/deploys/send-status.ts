import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import {
  isFinalStatus,
  nextStatusTryAt,
  sealedForStatus,
  statusRequest,
  type QueuedStatus,
  type StatusRequest,
} from './commit-status.ts';

/** The response of a git host. */
interface StatusResponse {
  /** Null if there was none. */
  readonly status: number | null;
  /** Why the report was not taken, as a text for the owner; null if it was. */
  readonly error: string | null;
  readonly retryAfterMs: number;
}

/** Sends reports to git hosts. */
export interface StatusSender {
  /** Makes one attempt. It takes at most 15 seconds, and never rejects. */
  post(request: StatusRequest & { readonly signal: AbortSignal }): Promise<StatusResponse>;
}

interface Deps {
  readonly metadata: Metadata<'commitStatuses' | 'deploys'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly sender: StatusSender;
}

const unreadable: StatusResponse = {
  status: 401,
  error: 'The token cannot be read under the master key. Set it again.',
  retryAfterMs: 0,
};

/** Makes one attempt at a report that was taken, and stores how it went. Returns whether the host answers reports. */
export async function sendStatus(deps: Deps, queued: QueuedStatus, signal: AbortSignal): Promise<boolean> {
  const { metadata, secrets, sender } = deps;
  const { deployId, appId, origin, state } = queued;
  const token = await metadata.read.commitStatuses.tokenOf(appId);
  const deploy = await metadata.read.deploys.find(deployId);
  const settle = (work: (tx: Transaction<'commitStatuses'>) => Promise<void>) =>
    metadata.atomically(work, { isDurable: false });
  if (token?.origin !== origin || !deploy) {
    await settle((tx) => tx.commitStatuses.end(queued));
    return true;
  }
  const secret = secrets.unseal(sealedForStatus, token.sealedToken, appId);
  const request = secret === undefined ? undefined : statusRequest(token, deploy, state, secret);
  if (secret !== undefined && !request) {
    await settle((tx) => tx.commitStatuses.end(queued));
    return true;
  }
  const response = request ? await sender.post({ ...request, signal }) : unreadable;
  // A server that stops says nothing about the host. Another one takes the report later.
  if (signal.aborted) return false;
  await settle(async (tx) => {
    await tx.commitStatuses.noteSent(appId, tx.now, response.error);
    const dueAt = response.error === null ? undefined : nextStatusTryAt(tx.now, queued.tries + 1, response);
    if (dueAt === undefined) await tx.commitStatuses.end(queued);
    else await tx.commitStatuses.putBack(queued, dueAt);
  });
  return response.error === null || isFinalStatus(response.status);
}
