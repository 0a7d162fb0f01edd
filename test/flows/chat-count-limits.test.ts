import { expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import type { TestServer } from '#test/support/server.ts';

const body = JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(40_000) }] });

function count(server: TestServer, credential: string) {
  return server.send('/v2/ai/messages/count_tokens', { method: 'POST', credential, body });
}

// How many run at once is tested where a test decides when each ends: counts-at-once.test.ts.
it('a count beyond those that an account may have at once is refused, until one has ended', async () => {
  const { server } = await startChatServer({ countsAtOnce: 0 });
  const { credential } = await server.account('pro');
  const { status, headers, ...answer } = await count(server, credential);
  expect([status, headers.get('retry-after'), answer.json().error.code]).toEqual([
    429,
    '1',
    'concurrent_limit_reached',
  ]);
});

it('counts one after the other are never refused', async () => {
  const { server } = await startChatServer();
  const { credential } = await server.account('pro');
  for (let n = 0; n < 6; n++) expect((await count(server, credential)).status).toBe(200);
});

it('a count has the deadline of other requests', async () => {
  const { server } = await startChatServer({ completionDeadlineMs: 1 });
  const { credential } = await server.account('pro');
  const { status, ...answer } = await count(server, credential);
  expect([status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
});
