import { feature } from '#server/feature.ts';

/** The settings of an account that are replaced together. Each list of them is another feature's. */
export const settings = feature({
  name: 'settings',
  needs: [],
  serve: () => import('./serve.ts'),
});
