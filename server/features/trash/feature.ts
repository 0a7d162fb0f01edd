import { feature } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { rules } from '../rules/feature.ts';

/** Deleted files and earlier versions. */
export const trash = feature({
  name: 'trash',
  needs: [rules, files],
});
