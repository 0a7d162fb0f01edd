import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { LocalModel, type LocalModelOptions } from '#server/features/chat/backends/local-model/local-model.ts';
import { ChatModelUnavailable } from '#server/features/chat/models/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { openLog } from '#server/log.ts';
import { patience, question } from '#test/support/chat-model.ts';
import { eventually } from '#test/support/eventually.ts';

const fake = join(import.meta.dirname, '../../../support/fake-model-process.ts');

/** Starts a model whose process acts on the text of the last message. */
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
  model.begin();
  onTestFinished(() => model.close());
  const ask = (text: string, signal = patience, onBegun?: () => void) =>
    model.complete(question(text), signal, onBegun);
  return { model, ask, children, logged: () => logged };
}

describe('LocalModel', () => {
  it('completes requests one at a time, in their order', async () => {
    const { ask } = start();
    const ended: string[] = [];
    await Promise.all(['slow', 'b', 'c'].map(async (text) => ended.push((await ask(text)).text!)));
    expect(ended).toEqual(['fake: slow', 'fake: b', 'fake: c']);
  });

  it('gives ids to the calls of the model', async () => {
    expect(await start().ask('call')).toEqual({
      text: null,
      toolCalls: [{ id: 'call_1', name: 'add', arguments: '{}' }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  it('rejects a conversation that is too long, and continues after a failure', async () => {
    const { ask } = start();
    await expect(ask('too long')).rejects.toMatchObject({ code: 'context_length_exceeded' });
    await expect(ask('too long')).rejects.toThrow(Refusal);
    await expect(ask('fail')).rejects.toThrow(ChatModelUnavailable);
    expect((await ask('a')).text).toBe('fake: a');
  });

  it('throws for an empty answer, which has cost its input', async () => {
    const onBegun = vi.fn();
    await expect(start().ask('say nothing', patience, onBegun)).rejects.toThrow(ChatModelUnavailable);
    expect(onBegun).toHaveBeenCalledOnce();
  });

  it('limits the number of waiting requests', async () => {
    const { ask } = start('ready', { maxWaiting: 2 });
    await ask('a');
    const answers = await Promise.allSettled(['slow', 'b', 'c', 'd'].map((text) => ask(text)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('rejects an aborted request at once, and completes the next one', async () => {
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

  it('survives a crash of its process: rejects the pending requests and completes the next one', async () => {
    const { ask, children, logged } = start();
    const [crashed, waiting] = await Promise.allSettled([ask('crash'), ask('a')]);
    for (const { status } of [crashed, waiting]) expect(status).toBe('rejected');
    expect((await ask('b')).text).toBe('fake: b');
    expect(children).toHaveLength(2);
    expect(logged()).toContain('the process of the model file ended');
  });

  it('logs the package to install when it is missing, and does not start again', async () => {
    const { ask, children, logged } = start('no-package');
    await eventually(() => expect(logged()).toContain('npm install --no-save node-llama-cpp@3'));
    await eventually(() => expect(children[0]!.exitCode).not.toBeNull());
    await expect(ask('a')).rejects.toThrow(ChatModelUnavailable);
    expect(children).toHaveLength(1);
  });

  it('logs why the file could not be loaded, and starts again', async () => {
    const { children, logged } = start('no-model');
    await eventually(() => expect(children.length).toBeGreaterThan(1));
    expect(logged()).toContain('the model file could not be loaded');
  });

  it('kills its process when it is closed', async () => {
    const { model, ask, children } = start();
    await ask('a');
    const answer = ask('silent').catch((error: unknown) => error);
    await model.close();
    expect(await answer).toBeInstanceOf(ChatModelUnavailable);
    expect(children[0]!.signalCode).toBe('SIGKILL');
    await expect(ask('a')).rejects.toThrow(ChatModelUnavailable);
  });
});
