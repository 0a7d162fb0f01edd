import { maxCoalescedPushes } from './limits.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { FilteredChange } from './deploy-filters.ts';
import type { BranchChange } from './push.ts';
import { queueUnavailable } from './queue-unavailable.ts';

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly 'deploy.filtered': {
      readonly push: Pick<BranchChange, 'branch' | 'commit' | 'message'> &
        Pick<FilteredChange, 'reason'> & { readonly appId: string };
    };
  }
}

interface NoteFiltered {
  readonly appId: string;
  readonly filtered: readonly FilteredChange[];
  readonly windowMs: number;
}

/**
 * Adds an event for each branch that the filters did not take. Of one webhook, {@link maxCoalescedPushes} pushes in a
 * window have events: they cost nothing else, so anybody who knows an unsigned webhook could send many.
 *
 * @throws DEPLOY_QUEUE_UNAVAILABLE
 */
export async function noteFiltered(
  { metadata }: { readonly metadata: Writes<'apps' | 'events' | 'gitWebhooks'> },
  { appId, filtered, windowMs }: NoteFiltered,
): Promise<void> {
  await metadata
    .atomically(async (tx) => {
      const app = await tx.apps.find(appId);
      if (!app || !(await tx.gitWebhooks.spendFiltered(appId, tx.now, windowMs, maxCoalescedPushes))) return;
      for (const { change, reason } of filtered) {
        const { branch, commit, message } = change;
        const data = { push: { appId, branch, commit, message, reason } };
        await tx.events.add({ accountId: app.accountId, type: 'deploy.filtered', key: null, data }, tx.now);
      }
    })
    .catch(queueUnavailable);
}
