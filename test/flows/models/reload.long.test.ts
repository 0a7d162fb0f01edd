import { mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ask, askForStream } from '#test/support/chat.ts';
import { eventually } from '#test/support/eventually.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import type { TestServer } from '#test/support/server.ts';

const changed = 'the models of the AI gateway have changed';
const kept = 'CUBBY_AI_MODELS_FILE has problems: the models of the AI gateway stay as they were';

const linesWith = (server: TestServer, message: string) => server.log.filter((line) => line.message === message);

async function answerOf(server: TestServer, credential: string, model = 'cubic') {
  const answer = (await ask(server, credential, { model, messages: [{ role: 'user', content: 'hello' }] })).json();
  return answer.error?.code ?? answer.choices[0].message.content;
}

async function operatorsView(server: TestServer): Promise<string> {
  const answer = await server.send('/v2/operator/configuration', {
    door: 'operator',
    credential: await server.operatorKey(),
  });
  return answer.json().response.settings.find(({ name }: { readonly name: string }) => name === 'CUBBY_AI_MODELS_FILE')
    .value;
}

const cubicAt = (url: string) => ({ models: [{ name: 'cubic', upstreams: [{ url }] }] });

describe('a changed file of models', () => {
  it('is used without a restart, and the change is logged', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential, file } = await startModelsServer(cubicAt(first!.url));
    expect(await answerOf(server, credential)).toBe('0');
    file.write({ default: 'new', models: [{ name: 'new', upstreams: [{ name: 'gpu', url: second!.url }] }] });
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(1));
    expect(linesWith(server, changed)[0]).toMatchObject({
      level: 'info',
      added: ['new'],
      removed: ['cubic'],
      default: 'new',
      added_upstreams: ['gpu'],
      removed_upstreams: ['cubic/1'],
    });
    expect(await answerOf(server, credential)).toBe('1');
    expect(await operatorsView(server)).toBe(`${file.path} (new)`);
    expect(JSON.stringify(linesWith(server, changed))).not.toContain('127.0.0.1');
  });

  it('makes the cache forget answers of servers that are no longer behind the name', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential, file } = await startModelsServer(cubicAt(first!.url), {
      env: { CUBBY_AI_CACHE_SECONDS: '3600' },
    });
    const cached = async () => {
      const body = { temperature: 0, messages: [{ role: 'user', content: 'hello' }] };
      const answer = await ask(server, credential, body);
      return [answer.json().choices[0].message.content, answer.headers.get('cache-status')!.split(';')[1]];
    };
    server.clock.advance(10_000);
    expect(await cached()).toEqual(['0', ' fwd=miss']);
    expect(await cached()).toEqual(['0', ' hit']);
    file.write(cubicAt(second!.url));
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(1));
    server.clock.advance(10_000);
    expect(await cached()).toEqual(['1', ' fwd=miss']);
    expect(await cached()).toEqual(['1', ' hit']);
    file.write({ models: [{ name: 'cubic', upstreams: [{ url: second!.url, name: 'gpu', weight: 3 }] }] });
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(2));
    expect(await cached()).toEqual(['1', ' hit']);
  });

  it('with problems changes nothing, and is logged once', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential, file } = await startModelsServer(cubicAt(first!.url));
    file.write({ models: [{ name: 'cubic', upstreams: [{ url: second!.url, key: 'sk-secret' }] }] });
    await eventually(() => expect(linesWith(server, kept)).toHaveLength(1));
    expect(linesWith(server, kept)[0]).toMatchObject({
      level: 'error',
      problems: [expect.stringMatching(/^models\[0\]\.upstreams\[0\]\.key must not be in this file/)],
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(linesWith(server, kept)).toHaveLength(1);
    expect(await answerOf(server, credential)).toBe('0');
    expect(await operatorsView(server)).toBe(`${file.path} (cubic), before a change that has problems`);
    unlinkSync(file.path);
    await eventually(() => expect(linesWith(server, kept)).toHaveLength(2));
    expect(await answerOf(server, credential)).toBe('0');
    file.write(cubicAt(second!.url));
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(1));
    expect(await answerOf(server, credential)).toBe('1');
    expect(await operatorsView(server)).toBe(`${file.path} (cubic)`);
    expect(JSON.stringify(server.log)).not.toContain('sk-secret');
  });

  it('is read at once when the operator asks for it, also without a change', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential, file } = await startModelsServer(cubicAt(first!.url), { pollModelsMs: 3_600_000 });
    server.running.app.reload();
    expect(linesWith(server, 'CUBBY_AI_MODELS_FILE has no change')).toHaveLength(1);
    file.write(cubicAt(second!.url));
    server.running.app.reload();
    expect(await answerOf(server, credential)).toBe('1');
  });

  it('is found behind links that are swapped, as Kubernetes does, and with a new key in its file', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential, file } = await startModelsServer(cubicAt(first!.url));
    const version = (name: string, key: string) => {
      mkdirSync(join(file.folder, name));
      writeFileSync(join(file.folder, name, 'key'), key);
      const models = [{ name: 'cubic', upstreams: [{ url: second!.url, key_file: '..data/key' }] }];
      writeFileSync(join(file.folder, name, 'models.json'), JSON.stringify({ models }));
      // Nothing but the place of the files differs.
      for (const part of ['key', 'models.json']) utimesSync(join(file.folder, name, part), 1_000, 1_000);
      symlinkSync(name, join(file.folder, '..data_tmp'));
      renameSync(join(file.folder, '..data_tmp'), join(file.folder, '..data'));
    };
    version('..v1', 'sk-1');
    unlinkSync(file.path);
    symlinkSync('..data/models.json', file.path);
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(1));
    version('..v2', 'sk-2');
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(2));
    await answerOf(server, credential);
    writeFileSync(join(file.folder, '..v2', 'key'), 'sk-three');
    await eventually(() => expect(linesWith(server, changed)).toHaveLength(3));
    await answerOf(server, credential);
    expect(second!.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-2', 'Bearer sk-three']);
    expect(JSON.stringify(server.log)).not.toContain('sk-');
  });

  it('loses no request and no stream under load, and keeps the breakers of servers that stay', async () => {
    const [old, stays, fresh, broken] = await numberedUpstreams(4);
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    for (const one of [old, stays, fresh]) one!.answer({ text: 'a b c d e f', usage, delayMs: 5, pauseMs: 20 });
    broken!.answer({ status: 503, headers: { 'Retry-After': '60' } });
    const models = (url: string, weight: number) => ({
      models: [
        {
          name: 'cubic',
          upstreams: [
            { name: 'changing', url },
            { name: 'stays', url: stays!.url, weight },
            { name: 'broken', url: broken!.url },
          ],
        },
      ],
    });
    const { server, file } = await startModelsServer(models(old!.url, 1), { pollModelsMs: 3_600_000 });
    const accounts = await Promise.all(Array.from({ length: 6 }, () => server.account('enterprise')));
    let isOver = false;
    let streams = 0;
    let wholes = 0;
    const failures: unknown[] = [];
    const client = async (credential: string, streamed: boolean) => {
      while (!isOver) {
        if (streamed) {
          const { text, events, status } = await askForStream(server, credential, 'hello');
          streams++;
          if (text !== 'a b c d e f' || events.at(-1) !== '[DONE]') failures.push([status, text, events.at(-1)]);
        } else {
          const text = await answerOf(server, credential);
          wholes++;
          if (text !== 'a b c d e f') failures.push(text);
        }
      }
    };
    const load = accounts.flatMap(({ credential }) => [client(credential, true), client(credential, false)]);
    await eventually(() =>
      expect(
        linesWith(server, 'an upstream of the AI gateway keeps failing: it gets no requests for now'),
      ).toHaveLength(1),
    );
    const askedBroken = broken!.requests.length;
    for (let reload = 0; reload < 20; reload++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      file.write(models([fresh!.url, old!.url][reload % 2]!, 1 + (reload % 3)));
      server.running.app.reload();
    }
    isOver = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    // A busy machine answers few in this time.
    expect(streams).toBeGreaterThan(10);
    expect(wholes).toBeGreaterThan(10);
    expect(linesWith(server, changed)).toHaveLength(20);
    expect(old!.requests.length).toBeGreaterThan(0);
    expect(fresh!.requests.length).toBeGreaterThan(0);
    // Connections of streams may be closed once their last event has come.
    const wholeRequests = [old, stays, fresh]
      .flatMap((one) => one!.requests)
      .filter(({ body }) => body.stream !== true);
    expect(wholeRequests.some(({ isAbandoned }) => isAbandoned)).toBe(false);
    // The breaker is still open after 20 reloads. It may have let through requests that had begun before.
    expect(broken!.requests.length).toBeLessThanOrEqual(askedBroken + 12);
  });

  it('lets a stream end on its server, then closes that, and drops its metrics', async () => {
    const [old, fresh] = await numberedUpstreams(2);
    let goOn!: () => void;
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    old!.answer({
      pieces: (async function* () {
        yield chunk({ role: 'assistant', content: 'one ' });
        await going;
        yield chunk({ content: 'two' });
        yield chunk({}, 'stop');
        yield 'data: [DONE]\n\n';
      })(),
    });
    const { server, credential, file } = await startModelsServer(cubicAt(old!.url), { pollModelsMs: 3_600_000 });
    const metrics = async () => (await server.send('/metrics', { door: 'operator' })).body.toString();
    const stream = askForStream(server, credential, 'hello');
    await eventually(() => expect(old!.requests).toHaveLength(1));
    await eventually(async () =>
      expect(await metrics()).toContain('attempts_total{upstream="cubic/1",outcome="answered"} 1'),
    );
    file.write({ models: [{ name: 'cubic', upstreams: [{ name: 'fresh', url: fresh!.url }] }] });
    server.running.app.reload();
    const other = (await server.account()).credential;
    expect(await answerOf(server, other)).toBe('1');
    expect(await metrics()).toContain('cubby_ai_upstream_up{upstream="cubic/1"}');
    goOn();
    expect((await stream).text).toBe('one two');
    await eventually(async () => expect(await metrics()).not.toContain('upstream="cubic/1"'));
    expect(await metrics()).toContain('cubby_ai_upstream_attempts_total{upstream="fresh",outcome="answered"} 1');
    expect(old!.requests[0]!.isAbandoned).toBe(false);
  });

  it('keeps the number of metrics bounded over many reloads', async () => {
    const [upstream] = await numberedUpstreams(1);
    const named = (name: string, model: string) => ({
      models: [{ name: 'cubic', upstreams: [{ name, url: upstream!.url, model }] }],
    });
    const { server, credential, file } = await startModelsServer(named('first', 'm'), { pollModelsMs: 3_600_000 });
    for (let reload = 0; reload < 10; reload++) {
      expect(await answerOf(server, credential)).toBe('0');
      // Half of them are new servers, and half have only a new name.
      file.write(named(`name-${reload}`, `m${Math.floor(reload / 2)}`));
      server.running.app.reload();
    }
    expect(await answerOf(server, credential)).toBe('0');
    await eventually(async () => {
      const metrics = (await server.send('/metrics', { door: 'operator' })).body.toString();
      expect(new Set(metrics.match(/upstream="[^"]*"/g))).toEqual(new Set(['upstream="name-9"']));
    });
  });
});
