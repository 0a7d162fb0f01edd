import type { Feature } from './feature.ts';
import { features } from './features.ts';

const manifests: readonly Feature[] = features;

/** What each feature has of one kind, in the order of the features. */
function each<Kind extends keyof Feature>(kind: Kind): ReadonlyArray<NonNullable<Feature[Kind]>> {
  return manifests.map((one) => one[kind]).filter((one) => one !== undefined);
}

/** Joins reads of an engine over a network. @see server/stores/postgres/joined-reads.ts */
export const readJoiners = each('joinReads');

/** Empties an account before its rows are removed. @see server/domain/jobs/remove-accounts.ts */
export const accountEmptiers = each('emptyAccount');

/** Marks blobs of ended rows before blobs are removed. @see server/domain/jobs/reap-blobs.ts */
export const blobMarkers = each('markBlobs');

/** Gives back what a process left unfinished, by name. @see server/domain/jobs/recover.ts */
export const recoveries = Object.assign({}, ...each('recover')) as NonNullable<Feature['recover']>;

/** Loads what surrounds the rows. @see server/stores/wrapped-rows.ts */
export const rowWrappers = each('wrapRows');

/** Stores rows under a new master key. @see server/domain/master-key/reseal.ts */
export const reseals = each('reseal');
