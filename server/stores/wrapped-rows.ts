import type { Config } from '#server/config/config.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { rowWrappers } from '#server/feature-parts.ts';
import type { Log } from '#server/log.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';
import type { StorePorts } from './stores.ts';

/** What a feature wraps the rows with. */
interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  /** The rows, which the features before have wrapped. */
  readonly metadata: Metadata;
  readonly ids: Ids;
  /** Whether requests are served from the stores, or a command runs. */
  readonly isServing: boolean;
  readonly tracing: CallTracing | undefined;
}

/** The same rows, where a feature takes part in their changes. */
interface WrappedRows {
  readonly metadata: Metadata;
  readonly ports: Partial<StorePorts>;
  /** Ends what the feature does. The rows are still open. */
  close(): Promise<void>;
}

interface RowWrapper {
  wrapRows(given: Surroundings): WrappedRows;
}

declare module '#server/feature.ts' {
  interface Feature {
    /**
     * Loads what surrounds the rows in every process that opens the stores, also in commands and also where the feature
     * is switched off.
     */
    readonly wrapRows?: () => Promise<RowWrapper>;
  }
}

/** Loads what all features put around the rows. */
export function loadRowWrappers(): Promise<readonly RowWrapper[]> {
  return Promise.all(rowWrappers.map((load) => load()));
}

/**
 * Wraps rows, the first wrapper innermost. The outermost ends first.
 *
 * @throws what a wrapper throws, when those before it have ended
 */
export async function wrappedRows(
  wrappers: readonly RowWrapper[],
  given: Surroundings,
): Promise<WrappedRows & { readonly ports: StorePorts }> {
  const around: WrappedRows[] = [];
  const close = async () => {
    for (const one of around) await one.close();
  };
  try {
    for (const { wrapRows } of wrappers)
      around.unshift(wrapRows({ ...given, metadata: around[0]?.metadata ?? given.metadata }));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    metadata: around[0]?.metadata ?? given.metadata,
    // Those of all features are there, because each wraps, also where it is switched off.
    ports: Object.assign({}, ...around.map(({ ports }) => ports)) as StorePorts,
    close,
  };
}
