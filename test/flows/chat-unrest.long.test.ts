import { describe, expect, it } from 'vitest';

import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { ask, spentToday, startChatServer, until } from '#test/support/chat.ts';

const usage = { prompt_tokens: 7, completion_tokens: 3 };
const search: UpstreamMessage = { toolCalls: [{ id: 'a', name: 'web_search', arguments: '{"query":"etag"}' }], usage };

/** Alternates, so that each account has clients that stay and clients that leave. */
const behaviours: readonly UpstreamBehaviour[] = [
  { text: 'here', usage },
  { text: 'later', usage, delayMs: 15 },
  search,
  'hang-up',
  { status: 429, headers: { 'Retry-After': '0.02' } },
  'cut-off',
  { status: 400, body: { error: { message: 'No.' } } },
  { ...search, delayMs: 5 },
  { status: 500 },
  'silent',
  { status: 200, body: '<html>' },
  { text: 'at last', usage, delayMs: 40 },
];

describe('the AI gateway under load with disconnecting clients and failing servers', () => {
  it('holds no reservation in the end, and charges each answer and each failed request that a model worked on', async () => {
    let reservations!: MemoryChatReservations;
    const { server, upstream } = await startChatServer({
      search: true,
      chatReservations: (metadata) => (reservations = new MemoryChatReservations(metadata)),
      completionDeadlineMs: 400,
      env: { CUBBY_AI_MAX_CONCURRENT: '9', CUBBY_AI_DAILY_TOKENS: '100000000' },
    });
    let asked = 0;
    upstream.answer(() => behaviours[asked++ % behaviours.length]!);
    const accounts = await Promise.all(Array.from({ length: 8 }, () => server.account('enterprise')));
    const seen: Array<{ readonly at: number; readonly outcome: string }> = [];
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, reservations.leases().length)), 1);
    for (let wave = 0; wave < 3; wave++) {
      await Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          const leaving = new AbortController();
          // A third of the clients leaves after 0 to 60 ms.
          const timer = n % 3 === 0 ? setTimeout(() => leaving.abort(), (n * 7 + wave * 11) % 60) : undefined;
          const answer = await ask(server, accounts[n % accounts.length]!.credential, 'hello', leaving.signal).catch(
            () => undefined,
          );
          clearTimeout(timer);
          seen.push({
            at: n % accounts.length,
            outcome: answer === undefined ? 'left' : answer.status === 200 ? 'answered' : answer.json().error.code,
          });
        }),
      );
    }
    clearInterval(watch);
    const lines = () => server.log.filter(({ operation }) => operation === 'createChatCompletion');
    await until(
      () =>
        lines().length >= seen.filter(({ outcome }) => outcome !== 'left').length && reservations.leases().length === 0,
    );
    expect(most).toBeLessThanOrEqual(9);
    expect(new Set(seen.map(({ outcome }) => outcome))).toEqual(
      new Set(
        ['answered', 'left', 'concurrent_limit_reached', 'server_overloaded', 'invalid_request'].filter((code) =>
          seen.some(({ outcome }) => outcome === code),
        ),
      ),
    );
    for (const [at, { credential, id }] of accounts.entries()) {
      const mine = seen.filter((one) => one.at === at);
      const { requests, tokens } = await spentToday(server, credential);
      // A model may have worked on requests whose client left, that took too long, or that failed after a search.
      const begun = mine.filter(
        ({ outcome }) => outcome === 'left' || outcome === 'server_overloaded' || outcome === 'invalid_request',
      ).length;
      const noted = lines().filter(
        ({ account, status }) => account === id && status === 200,
      ) as unknown as ReadonlyArray<{ readonly input_tokens: number; readonly output_tokens: number }>;
      expect(noted.length).toBeGreaterThanOrEqual(mine.filter(({ outcome }) => outcome === 'answered').length);
      expect(requests).toBeGreaterThanOrEqual(noted.length);
      expect(requests).toBeLessThanOrEqual(noted.length + begun);
      expect(tokens).toBeGreaterThanOrEqual(
        noted.reduce((sum, line) => sum + line.input_tokens + line.output_tokens, 0),
      );
    }
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });
});
