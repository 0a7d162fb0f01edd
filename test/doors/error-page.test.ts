import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const asPage = { Accept: 'text/html' };

describe('an error page', () => {
  it('after a form links back to it and shows nothing that was sent', async () => {
    const answer = await server.send('/activate?code=secret', {
      method: 'POST',
      headers: asPage,
      body: new URLSearchParams({ form_token: 'x', action: '<script>' }),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toMatch(
      /<title>Problem: [^]*<p role="alert"[^]*<a class="button" href="\.\/activate">Back<\/a>/,
    );
    expect(answer.body.toString()).not.toMatch(/script|secret/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['api', '/activate', 'pages.css'],
    ['files', '/s/x', '../pages.css'],
  ] as const)('on the %s door links to a stylesheet of that door', async (door, path, link) => {
    const answer = await server.send(path, {
      door,
      method: 'POST',
      headers: { ...asPage, 'Content-Type': 'text/plain' },
      body: 'x',
    });
    const found = /<link rel="stylesheet" href="([^"]*)" \/>/.exec(answer.body.toString())![1]!;
    expect(found.split('?')[0]).toBe(link);
    const sheet = await server.send(new URL(found, `http://any${path}`).pathname, { door });
    expect([sheet.status, sheet.headers.get('content-type'), sheet.headers.get('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(sheet.body.toString()).toContain('prefers-color-scheme: dark');
  });

  it.each([
    ['an unknown link', '/s/nothing', 404, 'Não há nada neste link'],
    ['a truncated link', '/s', 404, 'Não há nada neste link</h1>'],
    ['the root of the host', '/', 404, 'Não há nada neste link</h1>'],
  ])('for %s is in the language of the visitor', async (_name, path, status, words) => {
    const answer = await server.send(path, {
      door: 'files',
      headers: { ...asPage, 'Accept-Language': 'de, pt-BR;q=0.9, en;q=0.1' },
    });
    expect([answer.status, answer.headers.get('content-language'), answer.headers.get('vary')]).toEqual([
      status,
      'pt-BR',
      'Accept, Accept-Language, Cookie',
    ]);
    expect(answer.body.toString()).toContain(words);
    const asJson = await server.send(path, { door: 'files', headers: { 'Accept-Language': 'pt' } });
    expect([asJson.status, asJson.json().status]).toEqual([status, 'error']);
  });

  it('for too many requests says when to try again', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const visit = () => limited.send('/s/nothing', { door: 'files', headers: { ...asPage, 'Accept-Language': 'es' } });
    let answer = await visit();
    for (let visits = 1; visits <= 120 && answer.status !== 429; visits++) answer = await visit();
    expect(answer.status).toBe(429);
    expect(answer.body.toString()).toMatch(
      new RegExp(
        `<h1>Demasiadas solicitudes</h1>[^]*Inténtalo de nuevo dentro de ${answer.headers.get('retry-after')} segundos`,
      ),
    );
  });
});
