import { describe, expect, it } from 'vitest';

import { activationCookies } from '#server/features/devices/handlers/activation-cookies.ts';
import { sharePassCookie } from '#server/features/shares/handlers/share-pass-cookie.ts';

describe('activationCookies()', () => {
  it('are limited to the path of the page, also below a base path, and to HTTPS if the address is HTTPS', () => {
    const { session, form } = activationCookies('https://api.example.com/cubby/activate');
    expect(session.set('a.b')).toBe(
      'cubby_session=a.b; Path=/cubby/activate; Max-Age=3600; HttpOnly; SameSite=Strict; Secure',
    );
    expect(session.remove()).toBe('cubby_session=; Path=/cubby/activate; Max-Age=0; HttpOnly; SameSite=Strict; Secure');
    expect(form.set('c')).toBe('cubby_form=c; Path=/cubby/activate; HttpOnly; SameSite=Strict; Secure');
    expect(activationCookies('http://localhost:7400/activate').form.set('c')).toBe(
      'cubby_form=c; Path=/activate; HttpOnly; SameSite=Strict',
    );
  });
});

it('sharePassCookie() is limited to the path of its link, also below a base path, and to HTTPS if it has that', () => {
  expect(sharePassCookie('https://files.example.com/cubby/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/cubby/s/a; Max-Age=3600; HttpOnly; SameSite=Lax; Secure',
  );
  expect(sharePassCookie('http://localhost:7401/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/s/a; Max-Age=3600; HttpOnly; SameSite=Lax',
  );
});
