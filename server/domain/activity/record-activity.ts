import { cutText } from '../cut-text.ts';
import type { Transaction } from '../ports/metadata.ts';
import { readableLine } from '../readable-line.ts';
import type { ActivityRecord } from './activity.ts';

const maxUserAgentBytes = 512;

/**
 * Adds an activity entry in the transaction that it is about, and returns its sequence. A rollback removes the entry
 * too.
 */
export async function recordActivity(tx: Transaction<'activity'>, record: ActivityRecord): Promise<number> {
  const { actor } = record;
  return tx.activity.add({ ...record, actor: { ...actor, userAgent: cleanUserAgent(actor.userAgent) } }, tx.now);
}

/** Makes a `User-Agent` safe to show: one printable line of at most 512 bytes of UTF-8. Null when nothing is left. */
export function cleanUserAgent(text: string | null): string | null {
  return cutText(readableLine(text ?? ''), maxUserAgentBytes).trimEnd() || null;
}
