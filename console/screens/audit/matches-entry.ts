import type { OperatorAuditEntry } from '#dist/modules/client/index.js';

/** Whether an entry contains each word of a text, in its action, its actor, its account, its subject or its details. */
export function matchesEntry(entry: OperatorAuditEntry, text: string): boolean {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const { action, actor, account_id: account, subject, details } = entry;
  const all = [action, actor.kind, actor.id, actor.address, account, subject, JSON.stringify(details)]
    .join('\n')
    .toLowerCase();
  return wanted.every((word) => all.includes(word));
}
