import type { Replicas } from '../replicas.ts';

/** One kind of work on several replicas. It remembers what their responses promised. */
export interface Load {
  /** Works until the signal is aborted, then finishes the requests that it has begun. */
  run(replicas: Replicas, signal: AbortSignal): Promise<void>;
  /** Checks the promises when nothing is under way. Returns the violations. */
  check(replicas: Replicas): Promise<readonly string[]>;
  /** The kept promises, as text. */
  summary(): string;
}

/** Runs several loads together until `until` has ended. Rejects with the first violation. */
export async function runLoads(
  replicas: Replicas,
  loads: readonly Load[],
  until: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const working = Promise.all(loads.map((load) => load.run(replicas, ending.signal))).finally(() => ending.abort());
  // A load that fails ends the wait too.
  await Promise.all([until(ending.signal).finally(() => ending.abort()), working]);
}
