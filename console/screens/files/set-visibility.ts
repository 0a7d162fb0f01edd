import { updateObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { runBatch } from './batch.ts';
import { runInDialog } from './change-many.tsx';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Files of one request, as the contract allows. */
const filesAtOnce = 50;

/**
 * Makes files private, or public after a confirmation. Resolves to whether anything may have changed.
 *
 * @param onChanged called with the id that a file had, and with the one that it has now
 */
export async function setVisibility(
  named: readonly Named[],
  isPrivate: boolean,
  onChanged: (before: string, after: string) => void = () => {},
): Promise<boolean> {
  const { files } = messages();
  const question = {
    title: files.makePublicTitle(formatNumber(named.length)),
    text: files.publicHint,
    action: files.makePublic,
    isDangerous: false,
  };
  if (!isPrivate && !(await confirm(question))) return false;
  return runInDialog(files.changing, {
    run: (running) =>
      runBatch(named, {
        ...running,
        size: filesAtOnce,
        nameOf: ({ name }) => name,
        run: async (some, signal) => {
          const names = new Map(some.map(({ id, name }) => [id, name]));
          const body = { objects: [...names.keys()], private: isPrivate };
          const { results } = await ask(updateObjects({ body, signal }));
          return results.flatMap((result) => {
            if (!result.ok) return [{ name: names.get(result.object) ?? result.object, code: result.code }];
            onChanged(result.object, result.id);
            return [];
          });
        },
      }),
  });
}
