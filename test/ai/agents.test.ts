import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { startChatServer } from '#test/support/chat.ts';
import { eventsOf } from '#test/support/responses.ts';

/**
 * The first requests of a program, recorded between it and a server with default settings whose model calls for a
 * command. Long texts are placeholders, and of each function only the first parameters are kept.
 */
interface Recorded {
  readonly program: string;
  readonly version: string;
  readonly requests: ReadonlyArray<{
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, any>>;
  }>;
}

const folder = join(import.meta.dirname, 'recorded');
const programs = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded);

const used = {
  'Claude Code': {
    call: { id: 'call_a1', name: 'Bash', arguments: '{"command":"echo hi"}' },
    roles: [
      ['system', 'user', 'system'],
      ['system', 'user', 'system', 'assistant', 'tool', 'tool'],
    ],
    leftOut: [],
    last: ['message_delta', 'message_stop'],
  },
  Codex: {
    call: { id: 'call_a1', name: 'exec_command', arguments: '{"cmd":"echo hi"}' },
    roles: [
      ['system', 'system', 'user', 'user'],
      ['system', 'system', 'user', 'user', 'assistant', 'tool'],
    ],
    leftOut: ['web_search'],
    last: ['response.completed', '[DONE]'],
  },
} as const;

describe.each(programs)('$program $version', ({ program, requests }) => {
  const { call, roles, leftOut, last } = used[program as keyof typeof used];

  it('has a call and its result with a server as it comes', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('enterprise');
    upstream.answer({ text: 'I look.', toolCalls: [call] } satisfies UpstreamMessage, { text: 'It says hi.' });
    for (const [index, { path, headers, body }] of requests.entries()) {
      const answer = await fetch(server.running.urls.api + path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${credential}` },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      const types = eventsOf({ body: Buffer.from(text) }).map((event) => event.type ?? event);
      expect(types.slice(-2)).toEqual(last);
      const asked = upstream.requests[index]!.body as any;
      expect(asked.messages.map(({ role }: any) => role)).toEqual(roles[index]);
      const sent: string[] = body.tools.flatMap(({ name, type, tools }: any) =>
        type === 'namespace' ? tools.map((tool: any) => `${name}__${tool.name}`) : [name ?? type],
      );
      const offered: string[] = asked.tools.map((tool: any) => tool.function.name);
      const known = sent.filter((name) => !(leftOut as readonly string[]).includes(name));
      expect(offered.toSorted()).toEqual(known.toSorted());
    }
  });
});
