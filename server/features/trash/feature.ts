import { feature } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { rules } from '../rules/feature.ts';
import { emptyTrash, purgeTrash } from './purge-trash.ts';

/** Deleted files and earlier versions. */
export const trash = feature({
  name: 'trash',
  needs: [rules, files],
  emptyAccount: emptyTrash,
  jobs: {
    'purge-trash': { stage: 'files', trustsClock: true, run: purgeTrash },
  },
  isRequired: true,
  serve: () => import('./serve.ts'),
});
