import { restoreTrash } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { toastError, type ToastAction } from '../../ui/toasts.tsx';
import type { Deleted } from './deleted.ts';
import { runBatch, type BatchResult, type Running } from './batch.ts';
import { runInDialog } from './change-many.tsx';
import { runInTurn } from './run-in-turn.ts';
import { followJob } from './folder-job.ts';

/** Returns what a message offers after a deletion. Undefined if the trash keeps nothing of it. */
export function undoOf(deleted: Deleted, onDone: () => void): ToastAction | undefined {
  if (deleted.isEmpty) return undefined;
  const { files } = messages();
  const run = () => {
    runInDialog(files.restoring, { run: (running) => restore(deleted, running), said: files.restored }).then(
      onDone,
      toastError,
    );
  };
  return { label: files.undo, run };
}

/** Versions of one request, as the contract allows. */
const versionsAtOnce = 100;

/** Restores exactly what was deleted. Files that are there again stay, and count as failed. */
function restore({ versions, jobs }: Deleted, running: Running): Promise<BatchResult> {
  return runInTurn(running, [
    ...(versions.length > 0
      ? [
          (own: Running) =>
            runBatch(versions, {
              ...own,
              size: versionsAtOnce,
              nameOf: ({ name }) => name,
              run: async (some, signal) => {
                const names = new Map(some.map(({ version, name }) => [version, name]));
                const body = { versions: [...names.keys()] };
                const { failed } = await ask(restoreTrash({ body, signal }));
                return failed.map(({ version, code }) => ({ name: names.get(version) ?? version, code }));
              },
            }),
        ]
      : []),
    ...jobs.map(
      ({ id, prefix, name }) =>
        (own: Running) =>
          followJob({ action: 'restore', prefix, deleted_by: id }, name, own),
    ),
  ]);
}
