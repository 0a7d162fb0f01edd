import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';
import { rawExchange } from '../http/live-server.ts';

const own = {
  CUBBY_OPERATOR_URL: 'https://Operator.example.com:8443',
  CUBBY_OPERATOR_HOST: 'localhost',
  CUBBY_OPERATOR_NAMES: 'cubby, Metrics.example.com',
};

let usual: TestServer;
let named: TestServer;

beforeAll(async () => {
  usual = await startTestServer({ ownStores: true });
  named = await startTestServer({ ownStores: true, env: own });
});
afterAll(async () => {
  await usual.stop();
  await named.stop();
});

const ask = async (server: TestServer, request: string, host?: string): Promise<string> => {
  const lines = [`${request} HTTP/1.${host === undefined ? 0 : 1}`, ...(host === undefined ? [] : [`Host: ${host}`])];
  return rawExchange(server.running.ports.operator, [...lines, 'Connection: close', '', ''].join('\r\n'));
};

const isRefused = async (server: TestServer, host?: string): Promise<boolean> => {
  const answer = await ask(server, 'GET /metrics', host);
  if (!answer.includes('HOST_NOT_ALLOWED')) return false;
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(answer).toContain('CUBBY_OPERATOR_NAMES');
  expect(answer).not.toContain('# HELP');
  return true;
};

describe("the operator's door", () => {
  it.each([
    [false, 'localhost'],
    [false, 'LOCALHOST.:7404'],
    [false, 'localhost:9999'],
    [false, 'cubby.localhost:7404'],
    [false, '127.0.0.1:7404'],
    [false, '127.0.0.2'],
    [false, '[::1]:7404'],
    [false, '[::1]'],
    [false, '10.1.2.3:7404'],
    [false, undefined],
    [true, 'page.example'],
    [true, 'page.example:7404'],
    [true, 'localhost.page.example'],
    [true, '127.0.0.1.page.example'],
    [true, 'page-localhost'],
    [true, 'localhost@page.example'],
    [true, '127.0.0.1@page.example'],
    [true, '[page.example]'],
    [true, '::1.page.example'],
    [true, 'cubby'],
    [true, 'operator.example.com'],
    [true, '__proto__'],
  ])('refuses: %j of a request for %j', async (refused, host) => {
    expect(await isRefused(usual, host)).toBe(refused);
  });

  it.each([
    [false, 'operator.example.com'],
    [false, 'Operator.Example.com:8443'],
    [false, 'cubby:7404'],
    [false, 'metrics.example.com'],
    [false, 'localhost:7404'],
    [true, 'example.com'],
    [true, 'x.operator.example.com'],
    [true, 'page.example'],
  ])('with names of its own refuses: %j of a request for %j', async (refused, host) => {
    expect(await isRefused(named, host)).toBe(refused);
  });

  it.each([
    'GET /v2/operator/installation',
    'POST /v2/operator/session',
    'OPTIONS /v2/operator/session',
    'GET /console',
    'GET /console/config.json',
    'GET /console/assets/app.js',
    'GET /livez',
    'GET /readyz',
    'GET /metrics',
    'GET /',
    'GET /nothing',
    'DELETE /metrics',
    'GET /%zz',
    'GET http://localhost/metrics',
  ])('refuses a foreign name at every path: %s', async (request) => {
    expect(await ask(usual, request, 'page.example')).toMatch(/^HTTP\/1\.1 403 [^]*"code":"HOST_NOT_ALLOWED"/);
  });
});
