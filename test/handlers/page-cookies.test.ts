import { describe, expect, it } from 'vitest';

import { activationCookies, sharePassCookie } from '#server/handlers/page-cookies.ts';

describe('activationCookies()', () => {
  it('go to the page alone, also below a path, and over https alone where that is its address', () => {
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

it('sharePassCookie() goes to its link alone, also below a path, and over https alone where that is its address', () => {
  expect(sharePassCookie('https://files.example.com/cubby/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/cubby/s/a; Max-Age=3600; HttpOnly; SameSite=Lax; Secure',
  );
  expect(sharePassCookie('http://localhost:7401/s/a').set('1.b')).toBe(
    'cubby_share=1.b; Path=/s/a; Max-Age=3600; HttpOnly; SameSite=Lax',
  );
});
