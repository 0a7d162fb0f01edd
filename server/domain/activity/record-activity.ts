import type { Transaction } from '../ports/metadata.ts';
import type { ActivityRecord } from './activity.ts';

/** UTF-8. */
const maxUserAgentBytes = 512;

/**
 * Records what the transaction does, and answers the entry's sequence. It is the last thing that a use case calls in
 * it, so that what is undone is not recorded either.
 */
export async function recordActivity(tx: Transaction<'activity'>, record: ActivityRecord): Promise<number> {
  const { actor } = record;
  return tx.activity.add({ ...record, actor: { ...actor, userAgent: cleanUserAgent(actor.userAgent) } }, tx.now);
}

/** What a client calls itself, for people to read: without what moves the reader's terminal, and not endless. */
export function cleanUserAgent(text: string | null): string | null {
  const readable = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  return cut(readable, maxUserAgentBytes).trimEnd() || null;
}

/** As many whole characters as fit. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let out = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    out += character;
  }
  return out;
}
