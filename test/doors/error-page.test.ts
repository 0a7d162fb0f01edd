import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const asPage = { Accept: 'text/html' };

describe('an error page', () => {
  it('after a form leads back to it, and names nothing that was sent', async () => {
    const answer = await server.send('/activate?code=secret', { method: 'POST', headers: asPage, body: new URLSearchParams({ form_token: 'x', action: '<script>' }) });
    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toMatch(/<title>Problem: [^]*<p role="alert"[^]*<a href="\.\/activate">Back<\/a>/);
    expect(answer.body.toString()).not.toMatch(/script|secret/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([['api', '/activate', 'pages.css'], ['files', '/s/x', '../pages.css']] as const)('of the %s door finds its stylesheet there', async (door, path, link) => {
    const answer = await server.send(path, { door, method: 'POST', headers: { ...asPage, 'Content-Type': 'text/plain' }, body: 'x' });
    const found = /<link rel="stylesheet" href="([^"]*)">/.exec(answer.body.toString())![1]!;
    expect(found.split('?')[0]).toBe(link);
    const sheet = await server.send(new URL(found, `http://any${path}`).pathname, { door });
    expect([sheet.status, sheet.headers.get('content-type'), sheet.headers.get('cache-control')]).toEqual([200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable']);
    expect(sheet.body.toString()).toContain('prefers-color-scheme: dark');
  });
});
