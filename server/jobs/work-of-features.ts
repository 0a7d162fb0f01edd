import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';

const manifests: readonly Feature[] = features;

/** What each feature has of one kind, in the order of the features. */
function each<Kind extends keyof Feature>(kind: Kind): ReadonlyArray<NonNullable<Feature[Kind]>> {
  return manifests.map((one) => one[kind]).filter((one) => one !== undefined);
}

/** What the core does for features without knowing them: the `Deps` of its use cases name these. */
export const jobsOfFeatures = each('jobs');
export const reseals = each('reseal');
export const accountEmptiers = each('emptyAccount');
export const blobMarkers = each('markBlobs');
export const recoveries = Object.assign({}, ...each('recover')) as NonNullable<Feature['recover']>;
