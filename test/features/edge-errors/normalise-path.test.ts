import { randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { normalisePath } from '#server/features/edge-errors/normalise-path.ts';

/** Paths near the longest stored length, so that the cut goes through a possible id. */
const longPath = fc
  .tuple(
    fc.integer({ min: 235, max: 258 }),
    fc.string({ unit: fc.constantFrom('1', 'a', 'F', '/', '.', ';', '=', ':', '@', '-', '%', '2'), maxLength: 40 }),
  )
  .map(([length, end]) => `${'a'.repeat(length)}/${end}`);

describe('normalisePath()', () => {
  it.each([
    ['/', '/'],
    ['/checkout?token=secret', '/checkout'],
    ['/a#part', '/a'],
    ['/a?b#c?d', '/a'],
    ['/users/123', '/users/:id'],
    ['/users/123/orders/550e8400-e29b-41d4-a716-446655440000', '/users/:id/orders/:id'],
    ['/USERS/550E8400-E29B-41D4-A716-446655440000/', '/USERS/:id/'],
    ['/img/8347583.png', '/img/:id.png'],
    ['/commit/9f8e7d6c5b4a', '/commit/:id'],
    ['/o/507f1f77bcf86cd799439011', '/o/:id'],
    ['/u/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/u/:id'],
    ['/apps/app_4x7k2m9q3v8n6tbw/x', '/apps/:id/x'],
    ['/s/dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', '/s/:id'],
    ['/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U', '/t/:id'],
    ['/a;jsessionid=8F3A', '/a;jsessionid=:id'],
    ['/a;jsessionid=', '/a;jsessionid='],
    ['/a;1/b', '/a;:id/b'],
    ['/x/aGVsbG8gd29ybGQgdGhpcyBpcw%3D%3D', '/x/:id'],
    ['/x/ab%2Fcd%2B8f3kX9z01QwErTy', '/x/:id'],
    ['/x/foo%252F12345', '/x/:id'],
    ['/%40vite/a%20few%20words', '/%40vite/a%20few%20words'],
    ['/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe', '/:id/getMe'],
    ['/hooks/xoxb-abc', '/hooks/:id'],
    ['/invite/a8f3-x92k-q7p2', '/invite/:id'],
    ['/token.9f8a7b6c5d4e3f2a1b0c.zip', '/token.:id.zip'],
    ['/git/user:pw@host', '/git/:id'],
    ['/users/a.person@example.com/posts', '/users/:id/posts'],
    ['/u/kQzWbXtRpLmNvCyA', '/u/:id'],
    ['/p/blue-shirt-1234567', '/p/:id'],
    ['/@vite/client', '/@vite/client'],
    ['/jquery-3.7.1.js', '/jquery-3.7.1.js'],
    ['/api/getUserProfileSettings', '/api/getUserProfileSettings'],
    ['/v1/objects', '/v1/objects'],
    ['/blog/ten-things-to-know-about-2026', '/blog/ten-things-to-know-about-2026'],
    ['/assets/index-DhVt2b.js', '/assets/index-DhVt2b.js'],
    ['/decade', '/decade'],
    ['/deadbeef', '/deadbeef'],
    ['/:id', '/:id'],
    ['http://example.com/a/5?x', '/a/:id'],
    ['https://example.com', '/'],
    ['', '-'],
    ['*', '-'],
    ['?a', '-'],
    ['\u0016\u0003\u0001', '-'],
    ['/a\u0000b\u202e', '/a\ufffdb\ufffd'],
    ['/é/%20', '/é/%20'],
  ])('names %s as %s', (target, path) => {
    expect(normalisePath(target)).toBe(path);
  });

  it('returns at most 256 bytes without control characters or query, and its own results unchanged', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 400 }),
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.webPath(),
          fc.string({ unit: fc.constantFrom('é', '☁', '📁', 'a', '/'), maxLength: 300 }),
          longPath,
        ),
        (text) => {
          const path = normalisePath(`/${text}`);
          expect(Buffer.byteLength(path)).toBeLessThanOrEqual(256);
          expect(path.isWellFormed()).toBe(true);
          expect(path).toMatch(/^\/[^?#\p{Cc}]*$/u);
          expect(normalisePath(path)).toBe(path);
        },
      ),
      { numRuns: 2000 },
    );
    for (const unit of ['a', 'é', '☁', '📁']) {
      const path = normalisePath(`/${unit.repeat(300)}`);
      expect(Buffer.byteLength(path)).toBeGreaterThan(252);
      expect(path).toMatch(new RegExp(`^/${unit}+$`, 'u'));
    }
  });

  it.each([12, 16, 24, 32])('keeps almost no random token of %i bytes', (bytes) => {
    let kept = 0;
    for (let token = 0; token < 5000; token++)
      if (normalisePath(`/${randomBytes(bytes).toString('base64url')}`) !== '/:id') kept++;
    expect(kept).toBeLessThan(25);
  });

  it('returns a cut path unchanged the next time', () => {
    for (const end of ['1', '/1', '1a', ';a=b', ';ab=', '.5', '@b']) {
      const path = normalisePath(`/${'a'.repeat(255 - end.length)}/${end}xyz`);
      expect(normalisePath(path)).toBe(path);
    }
  });

  // Anybody can send such addresses to the public doors. Only the shortest time counts, since other programs run too.
  it.each([';', '/%41'])('reads no more of a path of 16 KB of %s than it can keep', (unit) => {
    const path = `/${unit.repeat(Math.floor(16_000 / unit.length))}`;
    const times = Array.from({ length: 20 }, () => {
      const startedAt = performance.now();
      for (let named = 0; named < 10; named++) normalisePath(path);
      return performance.now() - startedAt;
    });
    expect(Math.min(...times)).toBeLessThan(25);
  });
});
