import { failedAs, requireSomeReached } from '#server/domain/failed-as.ts';
import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** What became of one version of a request. */
export type VersionOutcome<T> =
  | { readonly versionId: string; readonly done: T }
  | { readonly versionId: string; readonly code: Refusal['code'] };

/**
 * Does the work for each version on its own, all at the same time, so that they share a commit. Returns one outcome for
 * each, in their order; a version that is named twice has one. A request for one version is refused as its work is.
 *
 * @param failure the code if the store fails
 * @throws {MetadataUnavailable} if the store was unavailable for all of them
 */
export async function eachVersion<T>(
  versionIds: readonly string[],
  failure: Refusal['code'],
  work: (versionId: string) => Promise<T>,
): Promise<Array<VersionOutcome<T>>> {
  const distinct = [...new Set(versionIds)];
  if (versionIds.length === 1) {
    const done = await work(versionIds[0]!).catch(failedAs(failure));
    return [{ versionId: versionIds[0]!, done }];
  }
  const failures: unknown[] = [];
  const outcomes = await Promise.all(
    distinct.map(async (versionId): Promise<VersionOutcome<T>> => {
      try {
        return { versionId, done: await work(versionId) };
      } catch (error) {
        if (error instanceof Refusal) return { versionId, code: error.code };
        if (!(error instanceof MetadataFailed)) throw error;
        failures.push(error);
        return { versionId, code: failure };
      }
    }),
  );
  if (failures.length === distinct.length) requireSomeReached(failures);
  return outcomes;
}
