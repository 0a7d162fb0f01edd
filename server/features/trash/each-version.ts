import type { Reach } from '#server/domain/access/requester.ts';
import { failedAs, requireSomeReached } from '#server/domain/failed-as.ts';
import { inSets, together } from '#server/domain/in-sets.ts';
import { MetadataFailed, type Transaction, type Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';
import { findVersion } from './find-version.ts';

/** What became of one version of a request. */
export type VersionOutcome<T> =
  | { readonly versionId: string; readonly done: T }
  | { readonly versionId: string; readonly code: Refusal['code'] };

interface EachVersion<T> extends Reach {
  readonly versionIds: readonly string[];
  /** The code if the store fails. */
  readonly failure: Refusal['code'];
  /** Every refusal comes before the first write. */
  work(tx: Transaction<FileTables>, version: TrashedObject): Promise<T>;
  /** Returns the names of versions in {@link together}. Default: no version depends on another. */
  namesFor?(tx: Transaction<FileTables>, versionIds: readonly string[]): Promise<(versionId: string) => string>;
}

/**
 * Does the work for each version on its own. Returns one outcome for each, in their order; a version that is named twice
 * has one. A request for one version is refused as its work is.
 *
 * @throws VERSION_NOT_FOUND if it is the only one
 * @throws {MetadataUnavailable} if the store was unavailable for all of them
 */
export async function eachVersion<T>(
  metadata: Writes<FileTables>,
  { versionIds, failure, work, namesFor, ...view }: EachVersion<T>,
): Promise<Array<VersionOutcome<T>>> {
  async function change(tx: Transaction<FileTables>, versionId: string): Promise<VersionOutcome<T> | Refusal> {
    try {
      const version = await findVersion(tx, view, versionId);
      return version ? { versionId, done: await work(tx, version) } : new Refusal('VERSION_NOT_FOUND');
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }
  const distinct = [...new Set(versionIds)];
  const outcomes = await inSets(metadata, {
    account: view.accountId,
    items: distinct,
    work: async (tx, some) => together(some, (versionId) => change(tx, versionId), await namesFor?.(tx, some)),
  });
  requireSomeReached(outcomes);
  return outcomes.map((outcome, at) => {
    if (!(outcome instanceof Error)) return outcome;
    if (versionIds.length === 1) return failedAs(failure)(outcome);
    return { versionId: distinct[at]!, code: outcome instanceof MetadataFailed ? failure : outcome.code };
  });
}
