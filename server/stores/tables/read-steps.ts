import type { Feature, ReadSteps } from '#server/feature.ts';
import { features } from '#server/features.ts';

const manifests: readonly Feature[] = features;

/** Reads that may be steps of a long series, such as a list. */
export const readSteps: ReadSteps = {
  activity: ['scan'],
  audit: ['scan'],
  contents: ['marked', 'named', 'unnamed'],
  storeCheck: ['contentsOfBlob', 'filesOf', 'hashed'],
  ...Object.assign({}, ...manifests.map((one) => one.readSteps)),
};
