import { hash } from 'node:crypto';

import type { AuditEntry, AuditPlace } from './audit-entry.ts';

/** The place before the first entry. */
export const startOfChain: AuditPlace = { sequence: 0, hash: '0'.repeat(64) };

/**
 * Returns the hash of an entry: SHA-256, in hexadecimal, of a JSON array without spaces. Its ten values are the
 * previous hash, the sequence, the instant in milliseconds, the action, the actor's kind, id and address, the account,
 * the subject and the details. Anyone with an export can compute it: no secret is part of it.
 */
export function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const { previousHash, sequence, at, action, by, accountId, subject, details } = entry;
  const hashed = [previousHash, sequence, at, action, by.kind, by.id, by.address, accountId, subject, details];
  return hash('sha256', JSON.stringify(hashed), 'hex');
}

/** Returns the problem of an entry that is read behind another one; undefined when it belongs there, unchanged. */
export function problemOf(entry: AuditEntry, behind: AuditPlace): string | undefined {
  const { sequence } = entry;
  if (sequence !== behind.sequence + 1) {
    const missing =
      behind.sequence + 1 === sequence - 1
        ? `Entry ${sequence - 1} is`
        : `Entries ${behind.sequence + 1} to ${sequence - 1} are`;
    return `${missing} missing.`;
  }
  if (entry.previousHash !== behind.hash)
    return `Entry ${sequence} does not follow entry ${behind.sequence}: one of them was replaced or moved.`;
  if (entry.hash !== hashOf(entry)) return `Entry ${sequence} was changed.`;
  return undefined;
}
