import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LocalModel } from '#server/features/chat/backends/local-model/local-model.ts';
import { ChatModelUnavailable, type ChatModel } from '#server/features/chat/models/chat-model.ts';
import { openLog } from '#server/log.ts';
import { patience, question } from '#test/support/chat-model.ts';
import { folderWithLlama, noLlama } from '#test/support/llama-package.ts';
import { tinyGguf } from '#test/support/tiny-gguf.ts';

describe.skipIf(noLlama)(`a model file${noLlama ? ` (skipped: ${noLlama})` : ''}`, () => {
  let model: ChatModel;
  let remove: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const place = await folderWithLlama();
    remove = place.remove;
    const file = join(place.folder, 'tiny.gguf');
    await writeFile(file, tinyGguf());
    const entry = join(place.folder, 'server/features/chat/backends/local-model/process.ts');
    model = new LocalModel({
      file,
      newCallId: () => 'call_1',
      log: openLog('silent'),
      start: () => fork(entry, [file], { env: {}, execArgv: [] }),
    });
    model.begin!();
  }, 300_000);

  afterAll(async () => {
    await model?.close();
    await remove?.();
  });

  it('answers, counts its input and output, and stops at maxOutputTokens', async () => {
    const answer = await model.complete(question('hello', { maxOutputTokens: 20, seed: 7 }), patience);
    expect(answer).toMatchObject({ toolCalls: [], finishReason: 'length', usage: { outputTokens: 20 } });
    expect(answer.text).not.toBe('');
    expect(answer.usage.inputTokens).toBeGreaterThan(5);
    expect((await model.complete(question('hello', { maxOutputTokens: 20, seed: 7 }), patience)).text).toBe(
      answer.text,
    );
  });

  it('answers JSON that matches the requested schema', async () => {
    const schema = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };
    const { text } = await model.complete(
      question('hello', { maxOutputTokens: 200, responseFormat: { type: 'json_schema', name: 'reply', schema } }),
      patience,
    );
    expect(JSON.parse(text!)).toEqual({ yes: expect.any(Boolean) });
  });

  it('accepts a conversation with function calls and their results', async () => {
    const turn = question('', {
      maxOutputTokens: 10,
      tools: [
        {
          name: 'add',
          description: 'Adds.',
          parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'add' },
        { role: 'assistant', content: null, toolCalls: [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }] },
        { role: 'tool', content: '2', toolCallId: 'call_1' },
      ],
    });
    expect(['length', 'stop', 'tool_calls']).toContain((await model.complete(turn, patience)).finishReason);
  });

  it('rejects a conversation that is longer than its context', async () => {
    await expect(model.complete(question('x'.repeat(3000)), patience)).rejects.toMatchObject({
      code: 'context_length_exceeded',
    });
  });

  it('stops writing when the caller leaves', async () => {
    const caller = new AbortController();
    const long = model
      .complete(question('hello', { maxOutputTokens: 1900, temperature: 2 }), caller.signal)
      .catch((error: unknown) => error);
    await sleep(20);
    caller.abort();
    expect(await long).toBeInstanceOf(ChatModelUnavailable);
    expect(
      (await model.complete(question('hello', { maxOutputTokens: 5 }), patience)).usage.outputTokens,
    ).toBeLessThanOrEqual(5);
  });
});
