import { systemActor } from '#server/domain/activity/activity.ts';
import { spaces } from '#server/domain/object-id.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { together } from '#server/domain/in-sets.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { sweep } from '#server/domain/sweep.ts';
import { removeObject } from './delete-objects.ts';
import type { FileTables } from '../table.ts';

/** Files that are read in one step. */
const stepSize = 50;

/** Deletes all files of an account. The trash keeps none of them. */
export async function removeFiles(
  { metadata }: { readonly metadata: Metadata<FileTables> },
  accountId: string,
): Promise<void> {
  const sizes = new SetSize();
  for (const space of spaces)
    await sweep(
      stepSize,
      (limit) => metadata.read.objects.scan({ accountId, space, prefix: '', limit }),
      async (files) => {
        await sizes.each(files, (set) =>
          metadata.atomically(
            (tx) =>
              sizes.measured(set, () =>
                together(set, (file) => removeObject(tx, file, systemActor, { mayKeep: false })),
              ),
            { account: accountId },
          ),
        );
        return files.length;
      },
    );
}
