import { dayMs } from '#server/domain/day.ts';
import { isShort, type Duration } from '#server/domain/duration.ts';
import { isAtLeast, type Plan } from '#server/domain/plan.ts';
import { deletionRow, type DeletionState } from './deletion.ts';

/**
 * The options for files under one prefix. `null` for those that are not set. Instants are milliseconds since the epoch.
 */
export interface Rule {
  /** With its trailing slash. */
  readonly prefix: string;
  /** Visibility of new files whose upload names none. */
  readonly isPrivate: boolean | null;
  /** Expiry of new files whose upload names none. */
  readonly expire: Duration | null;
  readonly maxSizeBytes: number | null;
  /** Lowercase and without a dot. An entry matches a whole suffix or its last part. */
  readonly extensions: readonly string[] | null;
  /** Cache-Control of new files whose upload names none. */
  readonly cacheControl: string | null;
  /** Files are deleted this many days after they were written, including those that were there before the rule. */
  readonly deleteAfterDays: number | null;
  /** The trash keeps deleted and replaced files for this many days. */
  readonly keepDeletedDays: number | null;
  /** The trash keeps at most this many versions of a key. Null: all of them. */
  readonly keepVersions: number | null;
  /** When it was saved in this form. Saving it again unchanged keeps the instant. */
  readonly createdAt: number;
}

/** A new rule deletes nothing for this long, so that a mistake can be undone. */
const deletionDelayMs = dayMs;

const enterpriseBelowDays = 7;

/** Returns the rule that applies to a key: the one with the longest prefix that the key begins with. */
export function ruleFor<R extends Pick<Rule, 'prefix'>>(rules: readonly R[], key: string): R | undefined {
  return rules
    .filter(({ prefix }) => key.startsWith(prefix))
    .reduce<R | undefined>(
      (found, rule) => (found && found.prefix.length > rule.prefix.length ? found : rule),
      undefined,
    );
}

/** Returns when automatic deletion begins, or undefined for a rule that deletes nothing. */
export function activeFrom({
  deleteAfterDays,
  createdAt,
}: Pick<Rule, 'deleteAfterDays' | 'createdAt'>): number | undefined {
  return deleteAfterDays === null ? undefined : createdAt + deletionDelayMs;
}

/** Returns the state of the rule's automatic deletion at `now`. */
export function deletionState(rule: Pick<Rule, 'deleteAfterDays' | 'createdAt'>, now: number): DeletionState {
  const from = activeFrom(rule);
  const saved = deletionRow('off', 'saved')!.next;
  if (from === undefined) return 'off';
  return from <= now ? deletionRow(saved, '24 hours have passed')!.next : saved;
}

/** Returns the latest writing time of the files that the rule deletes at `now`. Undefined if it deletes none. */
export function deletesUntil(rule: Pick<Rule, 'deleteAfterDays' | 'createdAt'>, now: number): number | undefined {
  return deletionState(rule, now) === 'acting' ? now - rule.deleteAfterDays! * dayMs : undefined;
}

/** Whether the rule deletes, at `now`, a file under its prefix that was written at `writtenAt`. */
export function deletes(rule: Pick<Rule, 'deleteAfterDays' | 'createdAt'>, writtenAt: number, now: number): boolean {
  const until = deletesUntil(rule, now);
  return until !== undefined && writtenAt <= until;
}

/** Returns the option of the rule that the plan does not include, as a text. Undefined if the plan includes all. */
export function beyondPlan(
  { expire, cacheControl, deleteAfterDays }: Pick<Rule, 'expire' | 'cacheControl' | 'deleteAfterDays'>,
  plan: Plan,
): string | undefined {
  if (isAtLeast(plan, 'enterprise')) return undefined;
  if (expire && isShort(expire)) return 'expire of less than 7 days';
  if (deleteAfterDays !== null && deleteAfterDays < enterpriseBelowDays) return 'delete_after_days of less than 7';
  if (cacheControl === 'no-cache') return 'cache_control no-cache';
  return undefined;
}

/** Whether a file with this extension may be uploaded under the rule. */
export function takesExtension({ extensions }: Pick<Rule, 'extensions'>, extension: string): boolean {
  return extensions === null || extensions.includes(extension) || extensions.includes(extension.split('.').at(-1)!);
}
