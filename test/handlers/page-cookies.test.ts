import { describe, expect, it } from 'vitest';

import { activationCookies } from '#server/handlers/activation-cookies.ts';

describe('activationCookies()', () => {
  it('go to the page alone, also below a path, and over https alone where that is its address', () => {
    const { setSession, takeBackSession, setForm } = activationCookies('https://api.example.com/cubby/activate');
    expect(setSession('a.b')).toBe(
      'cubby_session=a.b; Path=/cubby/activate; Max-Age=3600; HttpOnly; SameSite=Strict; Secure',
    );
    expect(takeBackSession()).toBe(
      'cubby_session=; Path=/cubby/activate; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
    expect(setForm('c')).toBe('cubby_form=c; Path=/cubby/activate; HttpOnly; SameSite=Strict; Secure');
    expect(activationCookies('http://localhost:7400/activate').setForm('c')).toBe(
      'cubby_form=c; Path=/activate; HttpOnly; SameSite=Strict',
    );
  });
});
