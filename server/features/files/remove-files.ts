import { systemActor } from '#server/domain/activity/activity.ts';
import { spaces } from '#server/domain/object-id.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { together } from '#server/domain/in-sets.ts';
import { sweep } from '#server/domain/sweep.ts';
import { removeObject } from './delete-objects.ts';
import type { FileTables } from './table.ts';

/** Files that are deleted in one transaction. They are few enough that requests in between do not notice. */
const batchFiles = 50;

/** Deletes all files of an account. The trash keeps none of them. */
export async function removeFiles(
  { metadata }: { readonly metadata: Metadata<FileTables> },
  accountId: string,
): Promise<void> {
  for (const space of spaces)
    await sweep(
      batchFiles,
      (limit) => metadata.read.objects.scan({ accountId, space, prefix: '', limit }),
      async (files) => {
        await metadata.atomically(
          async (tx) => {
            await together(files, (file) => removeObject(tx, file, systemActor, false));
          },
          { account: accountId },
        );
        return files.length;
      },
    );
}
