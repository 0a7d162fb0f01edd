import { expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import type { TestServer } from '#test/support/server.ts';

const body = JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(40_000) }] });

function count(server: TestServer, credential: string) {
  return server.send('/v2/ai/messages/count_tokens', { method: 'POST', credential, body });
}

it('an account may have four counts of tokens at once, and others are not affected', async () => {
  const { server } = await startChatServer();
  const [{ credential }, other] = await Promise.all([server.account('pro'), server.account('pro')]);
  const asked = Array.from({ length: 8 }, () => count(server, credential));
  const ofOther = await count(server, other.credential);
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  expect([ofOther.status, answers.length - refused.length]).toEqual([200, 4]);
  for (const { status, headers, ...answer } of refused)
    expect([status, headers.get('retry-after'), answer.json().error.code]).toEqual([
      429,
      '1',
      'concurrent_limit_reached',
    ]);
  expect((await count(server, credential)).status).toBe(200);
});

it('a count has the deadline of other requests', async () => {
  const { server } = await startChatServer({ completionDeadlineMs: 1 });
  const { credential } = await server.account('pro');
  const { status, ...answer } = await count(server, credential);
  expect([status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
});
