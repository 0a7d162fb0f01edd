import type { Reads } from '../ports/metadata.ts';
import type { AuditPlace } from './audit-entry.ts';
import { problemOf, startOfChain } from './chain.ts';
import { readAudit } from './read-audit.ts';

/** The result of a check of the audit log. */
export interface AuditVerdict {
  /** The number of entries. */
  readonly entries: number;
  /** The place of the last entry. Keep it elsewhere: a later check can expect it. */
  readonly head: AuditPlace;
  /** Up to a hundred problems, as texts for people. None in a log that nobody touched. */
  readonly problems: readonly string[];
}

const maxProblems = 100;

/**
 * Checks every entry of the audit log: that its hash is right, and that it follows the entry before it. This finds
 * changed, removed and moved entries. A log that was rewritten up to its end is noticed only if an earlier entry is
 * expected.
 *
 * @param expected an entry that was the last one earlier
 */
export async function verifyAudit(
  deps: { readonly metadata: Reads<'audit'> },
  expected?: AuditPlace,
): Promise<AuditVerdict> {
  // Read first, so that entries which are added during the check are not taken for missing ones.
  const head = await deps.metadata.read.audit.head();
  const problems: string[] = [];
  let behind: AuditPlace = startOfChain;
  let entries = 0;
  let isExpectedThere = expected === undefined;
  for await (const step of readAudit(deps)) {
    for (const entry of step) {
      const problem = problemOf(entry, behind);
      if (problem !== undefined && problems.length < maxProblems) problems.push(problem);
      if (entry.sequence === expected?.sequence && entry.hash === expected.hash) isExpectedThere = true;
      if (entry.sequence === head.sequence && entry.hash !== head.hash)
        problems.push(`Entry ${head.sequence} is not the one that was noted as the last.`);
      behind = entry;
      entries++;
    }
  }
  if (behind.sequence < head.sequence)
    problems.push(
      `The log ends with entry ${behind.sequence}, but ${head.sequence} were written: the last ones are missing.`,
    );
  if (!isExpectedThere) problems.push(`Entry ${expected!.sequence} with the expected hash is not in the log.`);
  return { entries, head: { sequence: behind.sequence, hash: behind.hash }, problems };
}
