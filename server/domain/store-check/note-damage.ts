import { systemActor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'storeCheck'>;
}

/** Copies of a file share its content. If there are more, only the accounts of this many are told. */
const mostFiles = 1_000;

/**
 * Notes that the bytes of a content are damaged or missing, or are whole again. The accounts of its files see it in
 * their activity, once for each change.
 */
export async function noteDamage({ metadata }: Deps, contentId: string, isDamaged: boolean): Promise<void> {
  await metadata.atomically(async (tx) => {
    if (!(await tx.storeCheck.noteDamage(contentId, isDamaged))) return;
    const type = isDamaged ? 'object.damaged' : 'object.repaired';
    for (const object of (await tx.storeCheck.filesOf(contentId)).slice(0, mostFiles))
      await recordActivity(tx, { accountId: object.accountId, type, object, details: {}, actor: systemActor });
  });
}
