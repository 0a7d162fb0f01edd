import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatCursor, parseCursor } from '#server/domain/sequence-cursor.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

describe('parseCursor()', () => {
  const secrets = masterSecrets(Buffer.alloc(32, 1));
  const list = { purpose: 'activity-cursor', ownerId: '204815162342108999' } as const;
  const invalid = expect.objectContaining({ code: 'INVALID_CONTINUATION_TOKEN' });

  it('reads the cursors of formatCursor()', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        (before) => void expect(parseCursor(secrets, list, formatCursor(secrets, list, before))).toBe(before),
      ),
    );
  });

  it('throws INVALID_CONTINUATION_TOKEN for every other text', () => {
    const cursor = formatCursor(secrets, list, 123_456);
    const [position, signature] = cursor.split('.') as [string, string];
    for (const one of [
      '',
      '.',
      position,
      `${position}.`,
      `.${signature}`,
      `0${cursor}`,
      `${position}a.${signature}`,
      `${cursor}\n`,
      `${cursor}A`,
      `${position}.${'A'.repeat(43)}`,
      cursor.toUpperCase(),
    ]) {
      expect(() => parseCursor(secrets, list, one), one).toThrow(invalid);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => void expect(() => parseCursor(secrets, list, text)).toThrow(invalid),
      ),
    );
  });

  it('rejects a cursor that another server made, or that was signed for another purpose', () => {
    const foreign = formatCursor(masterSecrets(Buffer.alloc(32, 2)), list, 1);
    expect(() => parseCursor(secrets, list, foreign)).toThrow(invalid);
    const relabelled = { sign: (_purpose: string, text: string) => secrets.sign('list-cursor', text) };
    expect(() => parseCursor(secrets, list, formatCursor(relabelled, list, 1))).toThrow(invalid);
  });

  it('rejects a cursor of another kind of list, or of another owner', () => {
    const cursor = formatCursor(secrets, list, 1);
    for (const other of [{ ...list, purpose: 'audit-cursor' } as const, { ...list, ownerId: 'app_1' }])
      expect(() => parseCursor(secrets, other, cursor)).toThrow(invalid);
  });
});
