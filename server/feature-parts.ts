import type { Feature } from './feature.ts';
import { features } from './features.ts';

const manifests: readonly Feature[] = features;

/** What each feature has of one kind, in the order of the features. */
function each<Kind extends keyof Feature>(kind: Kind): ReadonlyArray<NonNullable<Feature[Kind]>> {
  return manifests.map((one) => one[kind]).filter((one) => one !== undefined);
}

/**
 * Joins what the core and some features have of one kind, by name.
 *
 * @throws if two of them have the same name, because one would silently replace the other
 */
export function joinedByName<Kind extends 'readSteps' | 'recover' | 'tables'>(
  kind: Kind,
  from: readonly Feature[],
  ofCore: NonNullable<Feature[Kind]>,
): NonNullable<Feature[Kind]> {
  const named = [['the core', ofCore] as const, ...from.map((one) => [one.name, one[kind] ?? {}] as const)].flatMap(
    ([owner, parts]) => Object.entries(parts).map(([name, part]) => ({ owner, name, part })),
  );
  for (const [name, all] of Map.groupBy(named, (one) => one.name))
    if (all.length > 1) {
      const owners = all.map(({ owner }) => owner).join(' and ');
      throw new Error(
        `The ${kind} of ${name} are in ${owners}. Keep them in one, because the last would replace the rest.`,
      );
    }
  return Object.fromEntries(named.map(({ name, part }) => [name, part])) as NonNullable<Feature[Kind]>;
}

/** Joins reads of an engine over a network. @see server/stores/postgres/joined-reads.ts */
export const readJoiners = each('joinReads');

/** Empties an account before its rows are removed. @see server/domain/jobs/remove-accounts.ts */
export const accountEmptiers = each('emptyAccount');

/** Marks blobs of ended rows before blobs are removed. @see server/domain/jobs/reap-blobs.ts */
export const blobMarkers = each('markBlobs');

/** Gives back what a process left unfinished, by name. @see server/domain/jobs/recover.ts */
export const recoveries = joinedByName('recover', manifests, {});

/** How errors look in the protocols of features. @see server/pipeline/error-response.ts */
export const errorForms = each('errorForms').flat();

/** The folders of features in the data folder. @see server/stores/system/data-folder.ts */
export const dataFolders = each('dataFolders').flat();

/** Tables of running processes. @see server/stores/move/shared-tables.ts */
export const processTables = each('processTables').flat();

/** Tables of files. @see server/stores/tables/contents.ts */
export const fileTables = each('fileTables').flat();

/** Tables whose rows name blobs. @see server/stores/tables/contents.ts */
export const blobRows = each('blobRows').flat();

/** Tables whose rows need a token. @see server/stores/tables/upload-tokens.ts */
export const tokenTables = each('tokenTables').flat();

/** Counters of rows. @see server/stores/tables/store-check.ts */
export const counters = each('counters').flat();

/** Creates what features count. @see server/metrics/feature-metrics.ts */
export const metricsOfFeatures = each('metrics');

/** Returns what jobs take from the configuration. @see server/stores/job-settings.ts */
export const jobSettings = each('jobSettings');

/** Returns what the console knows of features. @see server/compose/sites.ts */
export const consoleConfigs = each('consoleConfig');

/** Returns whether there is something to read again. @see server/serve.ts */
export const rereadings = each('canReload');

/** Loads what surrounds the rows. @see server/stores/wrapped-rows.ts */
export const rowWrappers = each('wrapRows');

/** Stores rows under a new master key. @see server/domain/master-key/reseal.ts */
export const reseals = each('reseal');
