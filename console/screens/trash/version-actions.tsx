import type { TrashedVersion } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { purgeAll, restoreAll } from './trash-changes.ts';

/** Restores versions. Asks before one takes the place of a file. Returns whether anything may have changed. */
export async function restoreVersions(versions: readonly TrashedVersion[]): Promise<boolean> {
  const { trash } = messages();
  try {
    const first = await restoreAll(newestOf(versions), false);
    say(first.restored, first.failed, trash.restored);
    if (first.taken.length === 0) return true;
    const run = async () => {
      const { restored, failed } = await restoreAll(first.taken, true);
      say(restored, failed, trash.restored);
    };
    const text = trash.takenText(formatNumber(first.taken.length));
    await confirm({ title: trash.takenTitle, text, action: trash.replace, run });
    return true;
  } catch (error) {
    toastError(error);
    return true;
  }
}

/** Returns the ids of versions. Of several versions of one file only the newest can be the file. */
function newestOf(versions: readonly TrashedVersion[]): string[] {
  const newest = new Map<string, TrashedVersion>();
  for (const version of versions) {
    const known = newest.get(version.id);
    if (!known || version.deleted_at > known.deleted_at) newest.set(version.id, version);
  }
  return [...newest.values()].map(({ version }) => version);
}

/** Asks, and removes versions for good. Returns whether it was done. */
export async function purgeVersions(versions: readonly TrashedVersion[]): Promise<boolean> {
  const { trash } = messages();
  const run = async () => {
    const { purged, failed } = await purgeAll(versions.map(({ version }) => version));
    say(purged, failed, trash.purged);
  };
  const title = trash.purgeTitle(formatNumber(versions.length));
  const isMany = versions.length > 100;
  const typed = isMany ? { typed: formatNumber(versions.length) } : {};
  return confirm({ title, text: trash.purgeText, action: trash.purge, run, ...typed });
}

function say(done: number, failed: number, text: (count: string) => string): void {
  if (done > 0) toast(text(formatNumber(done)));
  if (failed > 0) toast(messages().trash.notDone(formatNumber(failed)));
}
