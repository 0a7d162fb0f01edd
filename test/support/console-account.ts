import type { ChatUpstream } from '#mocks/chat-upstream.ts';
import { TestClock } from './clock.ts';
import { ask } from './chat.ts';
import { someBytes, upload } from './files.ts';
import type { TestAccount, TestServer } from './server.ts';

/** A name that would do harm if a page took it for HTML. */
export const hostileName = '<script>alert(1)</script><img src=x onerror=alert(2)>';

const filledDays = 12;

/** A clock that shows the time of the browser once an account was filled. */
export function clockToFill(): TestClock {
  return new TestClock(Date.now() - filledDays * 86_400_000);
}

/** Fills an account with files, keys and requests to models over some days, and moves the clock by them. */
export async function fillAccount(server: TestServer, account: TestAccount, upstream: ChatUpstream): Promise<void> {
  const { credential } = account;
  const post = (path: string, body: unknown) =>
    server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });
  await post('/v1/account/keys', { name: 'Website', scopes: ['blob:read', 'blob:write'], prefixes: ['site'] });
  await post('/v1/account/keys', { name: hostileName, scopes: ['ai:chat'], ai: { requests_per_day: 100 } });
  upstream.answer({
    text: `A tag of the content. ${hostileName}`,
    usage: { prompt_tokens: 120, completion_tokens: 300 },
  });
  for (let day = 0; day < filledDays; day++) {
    await upload(server, account, { bytes: someBytes(20_000 + 9000 * day), query: { name: `file-${day}` } });
    for (let count = 0; count <= day % 4; count++) await ask(server, credential, 'What is an ETag?');
    server.clock.advance(86_400_000);
  }
}
