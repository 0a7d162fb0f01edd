import { feature } from '#server/feature.ts';
import { images } from '../images/feature.ts';
import { rules } from '../rules/feature.ts';

/** The settings of an account that are replaced together: rules, and presets of images. */
export const settings = feature({
  name: 'settings',
  needs: [rules, images],
  serve: () => import('./serve.ts'),
});
