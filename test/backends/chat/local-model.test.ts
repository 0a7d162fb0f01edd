import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { LocalModel, type LocalModelOptions } from '#server/backends/chat/local-model/local-model.ts';
import { ChatModelUnavailable } from '#server/domain/chat/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { openLog } from '#server/log.ts';
import { patience, question } from '#test/support/chat-model.ts';
import { eventually } from '#test/support/eventually.ts';

const fake = join(import.meta.dirname, '../../support/fake-model-process.ts');

/** A model whose process does what the last message says. */
function start(how = 'ready', options: Partial<LocalModelOptions> = {}) {
  let logged = '';
  const log = openLog(
    'debug',
    new Writable({ write: (chunk: Buffer, _, done) => ((logged += chunk.toString()), done()) }),
  );
  const children: ChildProcess[] = [];
  const begin = (): ChildProcess => {
    const child = fork(fake, [how], { execArgv: [] });
    children.push(child);
    return child;
  };
  let calls = 0;
  const model = new LocalModel({
    file: '/model.gguf',
    newCallId: () => `call_${++calls}`,
    log,
    start: begin,
    restartPausesMs: [10],
    ...options,
  });
  onTestFinished(() => model.close());
  const ask = (text: string, signal = patience, onBegun?: () => void) =>
    model.complete(question(text), signal, onBegun);
  return { model, ask, children, logged: () => logged };
}

describe('LocalModel', () => {
  it('answers one request after the other, in their order', async () => {
    const { ask } = start();
    const ended: string[] = [];
    await Promise.all(['slow', 'b', 'c'].map(async (text) => ended.push((await ask(text)).text!)));
    expect(ended).toEqual(['fake: slow', 'fake: b', 'fake: c']);
  });

  it('names the calls of the model', async () => {
    expect(await start().ask('call')).toEqual({
      text: null,
      toolCalls: [{ id: 'call_1', name: 'add', arguments: '{}' }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  it('refuses what is too long, and goes on after what failed', async () => {
    const { ask } = start();
    await expect(ask('too long')).rejects.toMatchObject({ code: 'context_length_exceeded' });
    await expect(ask('too long')).rejects.toThrow(Refusal);
    await expect(ask('fail')).rejects.toThrow(ChatModelUnavailable);
    expect((await ask('a')).text).toBe('fake: a');
  });

  it('takes an empty answer for none, which has cost its input', async () => {
    const onBegun = vi.fn();
    await expect(start().ask('say nothing', patience, onBegun)).rejects.toThrow(ChatModelUnavailable);
    expect(onBegun).toHaveBeenCalledOnce();
  });

  it('lets only so many wait', async () => {
    const { ask } = start('ready', { maxWaiting: 2 });
    await ask('a');
    const answers = await Promise.allSettled(['slow', 'b', 'c', 'd'].map((text) => ask(text)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('tells at once whoever left, and answers the next one', async () => {
    const { ask } = start();
    await ask('a');
    const beganMs = performance.now();
    const [begunOnFirst, begunOnWaiting] = [vi.fn(), vi.fn()];
    const first = ask('silent', AbortSignal.timeout(50), begunOnFirst);
    const waiting = ask('b', AbortSignal.timeout(20), begunOnWaiting);
    const last = ask('c');
    await expect(waiting).rejects.toThrow(ChatModelUnavailable);
    await expect(first).rejects.toThrow(ChatModelUnavailable);
    expect([begunOnFirst, begunOnWaiting].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    expect((await last).text).toBe('fake: c');
    expect(performance.now() - beganMs).toBeLessThan(10_000);
    await expect(ask('d', AbortSignal.abort())).rejects.toThrow(ChatModelUnavailable);
  });

  it('outlives a crash of the process: who waited is told, and the next is answered', async () => {
    const { ask, children, logged } = start();
    const [crashed, waiting] = await Promise.allSettled([ask('crash'), ask('a')]);
    for (const { status } of [crashed, waiting]) expect(status).toBe('rejected');
    expect((await ask('b')).text).toBe('fake: b');
    expect(children).toHaveLength(2);
    expect(logged()).toContain('the process of the model file ended');
  });

  it('says what to install where the package is missing, and tries no further', async () => {
    const { ask, children, logged } = start('no-package');
    await vi.waitFor(() => expect(logged()).toContain('npm install --no-save node-llama-cpp@3'), { timeout: 5000 });
    await eventually(() => expect(children[0]!.exitCode).not.toBeNull());
    await expect(ask('a')).rejects.toThrow(ChatModelUnavailable);
    expect(children).toHaveLength(1);
  });

  it('says why a file could not be loaded, and tries again', async () => {
    const { children, logged } = start('no-model');
    await vi.waitFor(() => expect(children.length).toBeGreaterThan(1), { timeout: 5000 });
    expect(logged()).toContain('the model file could not be loaded');
  });

  it('leaves no process behind', async () => {
    const { model, ask, children } = start();
    await ask('a');
    const answer = ask('silent').catch((error: unknown) => error);
    await model.close();
    expect(await answer).toBeInstanceOf(ChatModelUnavailable);
    expect(children[0]!.signalCode).toBe('SIGKILL');
    await expect(ask('a')).rejects.toThrow(ChatModelUnavailable);
  });
});
