import { once } from 'node:events';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { multipartType } from '#test/contract/bad-input/multipart.ts';
import { openRequest, type OpenRequest } from '#test/contract/bad-input/raw-request.ts';
import { createRequest } from '#test/support/file-requests.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
const opened: OpenRequest[] = [];
beforeAll(async () => void (server = await startTestServer({ rateLimits: true })));
afterAll(async () => {
  for (const { wire } of opened) wire.destroy();
  await server.stop();
});

/** Sends the head of a body whose rest does not come. */
function offer(request: Parameters<typeof openRequest>[1]): OpenRequest {
  const headers = { 'Transfer-Encoding': 'chunked', Expect: '100-continue', 'Content-Type': multipartType };
  const sending = openRequest(server, { method: 'POST', headers, ...request });
  sending.wire.flushHeaders();
  opened.push(sending);
  return sending;
}

it('senders to a file request have 32 places of their own', async () => {
  const account = await server.account();
  const { path } = await createRequest(server, account);
  const send = () => offer({ path, door: 'files' });
  for (let held = 0; held < 32; held++) await once(send().wire, 'continue');
  const answer = await send().answer;
  expect([answer.status, answer.json().code]).toEqual([429, 'TOO_MANY_CONCURRENT_UPLOADS']);
  // They take none of the account's own.
  const own = offer({ path: '/v1/objects?name=own', credential: account.credential });
  await once(own.wire, 'continue');
});
