import { listTrash, type TrashedVersion } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages, type Pages } from '../../app/use-pages.ts';

/** Reads what the trash keeps under a prefix, and of one file only, if its id is given. */
export function useVersions(prefix: string, id?: string): Pages<TrashedVersion> {
  return usePages(
    async (after, signal) => {
      const query = { prefix, limit: 100, ...after };
      const page = await ask(listTrash({ query, signal }));
      const items = id === undefined ? page.versions : page.versions.filter((version) => version.id === id);
      return { items, next: page.continuationToken };
    },
    [prefix, id],
  );
}
