import type { Mutant } from './mutations.ts';

/** Mutants that no test can or need notice, by file and by what they change, each with the reason. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** Returns why a mutant may survive. */
export function explained({ file, from, to }: Mutant): string | undefined {
  return reasons[file]?.[`${from} → ${to}`];
}
