import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { browserAccept, givePassword, openLink, shareFile } from '#test/support/shares.ts';
import type { Cases } from './cases.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const password = 'correct horse';

const ofFeatures = await partsOfFeatures('cases');

/** The initial fields of each form of a page, and its address. */
const forms: Cases['forms'] = {
  submitActivation: async () => ({
    door: 'api',
    path: '/activate',
    fields: { action: 'sign_in', api_key: account.credential },
  }),
  submitSharePassword: async () => ({
    door: 'files',
    path: (await shareFile(server, account, { body: { password } })).path,
    fields: { password },
  }),
  ...Object.assign({}, ...ofFeatures.map((own) => own.forms)),
};

it('the table of forms covers every form of a page', () => {
  const ofPages = Object.entries(policies).filter(
    ([, { method, errorShape }]) => method === 'post' && errorShape === 'page',
  );
  expect(ofPages.map(([operationId]) => operationId).toSorted()).toEqual(Object.keys(forms).toSorted());
});

describe.each(Object.keys(forms))('the form of %s', (operationId) => {
  it.each([
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['Sec-Fetch-Site: cross-site and a hidden Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }],
    ['another Origin', { Origin: 'https://evil.example' }],
    ['another Origin of the same host', { Origin: 'http://localhost:1' }],
  ])('is refused with %s, and sets no cookie', async (_, headers) => {
    const { door, path, fields } = await forms[operationId]!({ server, account });
    const answer = await server.send(path, { door, method: 'POST', headers, body: new URLSearchParams(fields) });
    expect([answer.status, answer.json().code, answer.headers.getSetCookie()]).toEqual([403, 'INVALID_FORM_TOKEN', []]);
    const page = await server.send(path, {
      door,
      method: 'POST',
      headers: { ...headers, Accept: browserAccept },
      body: new URLSearchParams(fields),
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });
});

describe('the password of a link', () => {
  it.each([
    ['a program', () => ({})],
    ['its own page', () => ({ Origin: server.running.urls.files, 'Sec-Fetch-Site': 'same-origin' })],
    ['its own page, which hides its address', () => ({ Origin: 'null', 'Sec-Fetch-Site': 'same-origin' })],
    ['its own page over http on another machine', () => ({ Origin: 'null' })],
  ])('is accepted from %s', async (_, headers) => {
    expect(
      (await givePassword(server, await shareFile(server, account, { body: { password } }), password, headers()))
        .status,
    ).toBe(303);
  });

  it('is not even checked when it comes from another site', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const share = await shareFile(limited, await limited.account(), { body: { password } });
    for (let guess = 0; guess < 40; guess++)
      await givePassword(limited, share, 'wrong password', { Origin: 'https://evil.example' });
    const given = await givePassword(limited, share, password);
    expect(given.status).toBe(303);
    expect((await openLink(limited, share, { Cookie: given.headers.getSetCookie()[0]!.split(';')[0]! })).status).toBe(
      200,
    );
  });
});
