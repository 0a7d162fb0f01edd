import type { Feature, ReadSteps } from '#server/feature.ts';
import { joinedByName } from '#server/feature-parts.ts';
import { features } from '#server/features.ts';

const ofCore: ReadSteps = {
  activity: ['scan'],
  audit: ['scan'],
  contents: ['marked', 'named', 'unnamed'],
  storeCheck: ['contentsOfBlob', 'filesOf', 'hashed'],
};

/**
 * Returns the reads that may be steps of a long series, such as a list, of the core and of some features.
 *
 * @throws if two of them name one table
 */
export function readStepsOf(manifests: readonly Feature[]): ReadSteps {
  return joinedByName('readSteps', manifests, ofCore);
}

/** All reads that may be steps of a long series. */
export const readSteps = readStepsOf(features);
