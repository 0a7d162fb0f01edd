import { expect, it } from 'vitest';

import { sharePassCookie } from '#server/handlers/share-pass-cookie.ts';

it('sharePassCookie() goes to its link alone, also below a path, and over https alone where that is its address', () => {
  expect(sharePassCookie('https://files.example.com/cubby/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/cubby/s/a; Max-Age=3600; HttpOnly; SameSite=Lax; Secure',
  );
  expect(sharePassCookie('http://localhost:7401/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/s/a; Max-Age=3600; HttpOnly; SameSite=Lax',
  );
});
