import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';

import { upstreamErrors } from '#mocks/chat-upstream-errors.ts';
import { openChatModel } from '#server/features/chat/backends/open-chat-model.ts';
import type { AttemptReport } from '#server/features/chat/backends/upstream-chain.ts';
import { parseConfig } from '#server/config/config.ts';
import { ChatModelUnavailable } from '#server/features/chat/models/chat-model.ts';
import { openLog } from '#server/log.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { patience, question, someUpstream } from '#test/support/chat-model.ts';
import { TestClock } from '#test/support/clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { isLlamaInstalled } from '#test/support/llama-package.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

/** Opens the model of an environment, and collects the lines that it logs. */
async function open(env: Record<string, string>) {
  let logged = '';
  const log = openLog(
    'debug',
    new Writable({ write: (chunk: Buffer, _, done) => ((logged += chunk.toString()), done()) }),
  );
  const reports: AttemptReport[] = [];
  const model = await openChatModel(parseConfig(env).ai, {
    ids: randomIds,
    clock: new TestClock(),
    secrets: masterSecrets(new Uint8Array(32)),
    log,
    deadlineMs: 90_000,
    onAttempt: (report) => void reports.push(report),
  });
  model.begin?.();
  onTestFinished(() => model.close());
  return { model, reports, logged: () => logged };
}

describe('openChatModel()', () => {
  it('uses the development responder when nothing is configured, and logs that', async () => {
    const { model, logged } = await open({});
    expect(model.isDevelopmentResponder).toBe(true);
    expect((await model.complete(question(), patience)).text).toContain('[development responder]');
    expect(logged()).toContain('the development responder answers');
  });

  it('rejects requests in production when nothing is configured, unless the responder is switched on', async () => {
    const { model, logged } = await open({ NODE_ENV: 'production' });
    expect(model.isDevelopmentResponder).toBe(false);
    expect(JSON.parse(logged())).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/no model is configured.*CUBBY_AI_UPSTREAM_URL/),
    });
    await expect(model.complete(question(), patience)).rejects.toThrow(ChatModelUnavailable);
    const off = await open({ CUBBY_AI_DEV_RESPONDER: 'off' });
    await expect(off.model.complete(question(), patience)).rejects.toThrow('CUBBY_AI_UPSTREAM_URL');
    const on = await open({ NODE_ENV: 'production', CUBBY_AI_DEV_RESPONDER: 'on' });
    expect(on.model.isDevelopmentResponder).toBe(true);
  });

  it('asks the upstreams in order, each with its own key and model name', async () => {
    const [first, second] = [await someUpstream({ key: 'sk-a' }), await someUpstream({ key: 'sk-b' })];
    const { model, reports } = await open({
      CUBBY_AI_UPSTREAM_URL: `${first.url},${second.url}/`,
      CUBBY_AI_UPSTREAM_KEY: 'sk-a,sk-b',
      CUBBY_AI_UPSTREAM_MODEL: 'big,small',
    });
    expect(model.isDevelopmentResponder).toBe(false);
    first.answer({ status: 500 });
    expect((await model.complete(question('hello'), patience)).text).toBe('echo: hello');
    expect([first, second].map(({ requests: [request] }) => [request!.path, request!.body.model])).toEqual([
      ['/v1/chat/completions', 'big'],
      ['/v1/chat/completions', 'small'],
    ]);
    expect(reports).toMatchObject([
      { upstream: 1, outcome: 'broken', status: 500 },
      { upstream: 2, outcome: 'answered' },
    ]);
  });

  it.skipIf(isLlamaInstalled)('logs the package to install for a model file, and rejects requests', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'cubby-model-')), 'tiny.gguf');
    onTestFinished(() => rm(dirname(file), { recursive: true }));
    await writeFile(file, 'GGUF');
    const { model, logged } = await open({ CUBBY_AI_MODEL_FILE: file });
    await eventually(() => expect(logged()).toContain('npm install --no-save node-llama-cpp@3'));
    expect(model.isDevelopmentResponder).toBe(false);
    await expect(model.complete(question(), patience)).rejects.toThrow(ChatModelUnavailable);
  });

  it('logs faults that an operator has to fix, without keys and contents', async () => {
    const upstream = await someUpstream({ key: 'sk-right' });
    const { model, logged } = await open({ CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_UPSTREAM_KEY: 'sk-wrong' });
    await expect(model.complete(question('my secret'), patience)).rejects.toThrow(ChatModelUnavailable);
    expect(JSON.parse(logged())).toMatchObject({
      level: 'error',
      upstream: 1,
      outcome: 'misconfigured',
      status: 401,
      message: expect.stringContaining('CUBBY_AI_UPSTREAM_KEY'),
    });
    const right = await open({ CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_UPSTREAM_KEY: 'sk-right' });
    for (const behaviour of [
      upstreamErrors.ollama.noSuchModel,
      { status: 302, headers: { Location: 'http://my.secret/' } },
      { status: 500, body: 'my secret' },
    ]) {
      upstream.answer(behaviour);
      await expect(right.model.complete(question('my secret'), patience)).rejects.toThrow(ChatModelUnavailable);
    }
    upstream.answer(upstreamErrors.openai.badRequest);
    await expect(right.model.complete(question('my secret'), patience)).rejects.toThrow(
      'The model refused this request.',
    );
    const lines = right.logged();
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { level: string }).level),
    ).toEqual(['error', 'error', 'warn', 'debug']);
    for (const secret of ['sk-', 'secret', 'pulling', new URL(upstream.url).port])
      expect(lines + logged()).not.toContain(secret);
  });
});
