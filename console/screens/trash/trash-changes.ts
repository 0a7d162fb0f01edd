import { deleteTrash, listTrash, restoreTrash } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';

/** As many as one request takes. */
const mostVersions = 100;

interface RestoreOutcome {
  readonly restored: number;
  /** Versions whose id another file has now. */
  readonly taken: readonly string[];
  readonly failed: number;
}

/** Restores versions, in as many requests as it takes. Versions in the way of a file are only reported. */
export async function restoreAll(versions: readonly string[], overwrite: boolean): Promise<RestoreOutcome> {
  let [restored, failed] = [0, 0];
  const taken: string[] = [];
  for (const part of inParts(versions)) {
    const report = await reported(part, ask(restoreTrash({ body: { versions: part, overwrite } })));
    if ('restored' in report) restored += report.restored.length;
    for (const { version, code } of report.failed) {
      if (code === 'OBJECT_ALREADY_EXISTS') taken.push(version);
      else failed += 1;
    }
  }
  return { restored, taken, failed };
}

/** Removes versions for good. Returns how many were removed, and how many were not. */
export async function purgeAll(
  versions: readonly string[],
): Promise<{ readonly purged: number; readonly failed: number }> {
  let [purged, failed] = [0, 0];
  for (const part of inParts(versions)) {
    const report = await reported(part, ask(deleteTrash({ body: { versions: part } })));
    if ('purged' in report) purged += report.purged.length;
    failed += report.failed.length;
  }
  return { purged, failed };
}

/** Removes everything whose key begins with a prefix. Stops when a page frees nothing, so that it always ends. */
export async function purgeEverything(prefix: string, onPurged: (count: number) => void): Promise<number> {
  let total = 0;
  for (;;) {
    const { versions } = await ask(listTrash({ query: { prefix, limit: 1000 } }));
    const { purged } = versions.length === 0 ? { purged: 0 } : await purgeAll(versions.map(({ version }) => version));
    if (purged === 0) return total;
    total += purged;
    onPurged(total);
  }
}

interface Failures {
  readonly failed: ReadonlyArray<{ readonly version: string; readonly code: string }>;
}

/** Turns the error about a single version into the report that several versions get. */
async function reported<Report extends Failures>(
  [first, ...further]: readonly string[],
  report: Promise<Report>,
): Promise<Report | Failures> {
  try {
    return await report;
  } catch (error) {
    const isAboutOne = error instanceof ApiError && (error.status === 404 || error.status === 409);
    if (!isAboutOne || first === undefined || further.length > 0) throw error;
    return { failed: [{ version: first, code: error.code }] };
  }
}

function inParts(versions: readonly string[]): string[][] {
  const count = Math.ceil(versions.length / mostVersions);
  return Array.from({ length: count }, (_, part) => versions.slice(part * mostVersions, (part + 1) * mostVersions));
}
