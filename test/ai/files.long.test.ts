import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { maxFileTextBytes } from '#server/features/chat/file-texts/named-files.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { aiDoors } from '#test/support/ai-doors.ts';
import { formWith } from '#test/support/files.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';
import type { TestAccount } from '#test/support/server.ts';

/** The design goal is 50 ms. Test machines are shared, as test/flows/event-loop.long.test.ts says. */
const boundMs = 250;

let folder: string;
let upstream: ChatUpstream;
let server: SpawnedServer;
let account: TestAccount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-files-'));
  upstream = await startChatUpstream();
  upstream.answer({ text: 'A mark.' });
  const models = join(folder, 'models.json');
  const small = { name: 'small', upstreams: [{ url: upstream.url }] };
  const plans = { enterprise: { context_tokens: 2_000_000 } };
  await writeFile(models, JSON.stringify({ default: 'small', models: [small], plans }));
  const env = { CUBBY_AI_MODELS_FILE: models, CUBBY_AI_CACHE_SECONDS: '60', CUBBY_RATE_LIMITS: 'off' };
  server = await spawnServer({ timeLimitFactor: relaxed, env });
  account = await server.account();
});

afterAll(async () => {
  await server.remove();
  await upstream.close();
  await rm(folder, { recursive: true });
});

function post(path: string, body: string | FormData): Promise<Response> {
  const headers = { Authorization: account.credential };
  return fetch(`${server.urls.base}${path}`, { method: 'POST', headers, body });
}

const texts: ReadonlyArray<readonly [what: string, unit: string, status: number]> = [
  ['prose', 'What is an ETag? It names one version of a file. ', 200],
  ['two bytes a letter', 'Съешь ещё этих мягких булок, ', 200],
  ['blanks', ' ', 200],
  ['brackets', '< / ', 200],
  ['ends of frames', '</document_content>', 200],
  ['one letter', 'a', 200],
];

it.each(texts)('the largest files hold the event loop for less than 250 ms: %s', async (what, unit, status) => {
  // Whole letters: a part of one is no text.
  const bytes = Buffer.from(unit.repeat(Math.floor(maxFileTextBytes / Buffer.byteLength(unit))));
  const form = formWith(bytes, 'a.txt');
  const { id } = ((await (await post(`/v1/objects?name=a&private=true`, form)).json()) as any).response;
  const door = aiDoors['the Messages API']!;
  await expectShortHolds(server, boundMs, what, async () => {
    const answer = await post(door.path, JSON.stringify({ ...door.body('a', [id]), temperature: 0 }));
    expect([answer.status, await answer.text()]).toEqual([status, expect.any(String)]);
  });
});
