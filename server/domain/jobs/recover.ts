import type { Metadata } from '../ports/metadata.ts';

/**
 * Gives back what a process left unfinished when it ended, such as reserved quota. Returns how much there was.
 *
 * @param owner the process. Undefined: all earlier ones
 */
export type Recover = (deps: { readonly metadata: Metadata }, owner?: string) => Promise<number>;

/** Runs all of `recoveries`. Returns how much each gave back, by its name. */
export async function recoverUnfinished(
  { metadata, recoveries }: { readonly metadata: Metadata; readonly recoveries: Readonly<Record<string, Recover>> },
  owner?: string,
): Promise<Record<string, number>> {
  const recovered: Record<string, number> = {};
  for (const [name, recover] of Object.entries(recoveries)) recovered[name] = await recover({ metadata }, owner);
  return recovered;
}
