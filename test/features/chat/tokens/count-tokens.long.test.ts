import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import type { ChatMessage, ChatResponseFormat, ChatTool } from '#server/features/chat/conversation/conversation.ts';
import { countInputTokens, estimateInputTokens, templateTokens } from '#server/features/chat/tokens/count-tokens.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';

const user = (content: string) => ({ messages: [{ role: 'user', content }] satisfies ChatMessage[] });
const upTo = (limitTokens: number, accountId = 'account', signal = new AbortController().signal) => ({
  limitTokens,
  accountId,
  signal,
});
const unbroken: ReadonlyArray<readonly [name: string, text: string]> = [
  ['a', 'a'],
  ['漢', '漢'],
  ['😀', '😀'],
  ['spaces', ' '],
  ['a mixture of letters', 'qzxjkvbwpfgyhm'],
  ['family emoji', '👨‍👩‍👧‍👦'],
].map(([name, unit]) => [name!, [...unit!.repeat(100_000 / unit!.length + 1)].slice(0, 100_000).join('')]);

describe('estimateInputTokens()', () => {
  it('returns the number of bytes when that fits', async () => {
    expect(await estimateInputTokens(user('héllo'), upTo(100))).toBe(6);
    expect(await estimateInputTokens({ messages: [...user('a').messages, ...user('b').messages] }, upTo(2))).toBe(2);
  });

  it('counts like the tokenizer when the bytes do not fit', async () => {
    const prose = 'Cubby keeps its files in a folder and everything else in one SQLite database beside them. '.repeat(
      100,
    );
    expect(await estimateInputTokens(user(prose), upTo(4000))).toBe(countTokens(prose));
  });

  it('counts everything that the model reads', async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'abcd', name: 'ef' },
      { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'look', arguments: '{"q":1}' }] },
      { role: 'tool', content: 'found', toolCallId: 'c1' },
    ];
    const tools: ChatTool[] = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    const responseFormat: ChatResponseFormat = {
      type: 'json_schema',
      name: 'answer',
      description: 'What it is.',
      schema: { type: 'object' },
    };
    const stop = ['END', 'FIN'];
    const bytes =
      'abcd'.length +
      'ef'.length +
      'c1 look {"q":1}'.length +
      'found'.length +
      'c1'.length +
      JSON.stringify(tools[0]).length +
      JSON.stringify(responseFormat).length +
      6;
    const request = { messages, tools, responseFormat, stop };
    expect(await estimateInputTokens(request, upTo(1e6))).toBe(bytes);
    expect(templateTokens(request)).toBe(5 * 8);
    expect(await countInputTokens(request, upTo(1e6))).toBeLessThan(bytes);
    expect(await countInputTokens({ messages, responseFormat, stop }, upTo(1e6))).toBeLessThan(
      await countInputTokens(request, upTo(1e6)),
    );
  });

  it('stops as soon as it passes the limit', async () => {
    const estimate = await estimateInputTokens(user('q'.repeat(900_000)), upTo(1000));
    expect(estimate).toBeGreaterThan(1000);
    expect(estimate).toBeLessThan(1000 + 256);
  });

  it('counts marks of vocabularies as text, and accepts halves of characters', async () => {
    expect(await countInputTokens(user('<|endoftext|>'), upTo(1000))).toBeGreaterThan(1);
    expect(await countInputTokens(user('\ud83d'.repeat(300)), upTo(10_000))).toBe(countTokens('\ud83d'.repeat(300)));
  });

  it.each(unbroken)(
    'keeps the event loop free for 100,000 characters of %s, eight requests at once',
    async (_name, text) => {
      const heldMs = await shortestHoldMs(async () => {
        const estimates = await Promise.all(
          Array.from({ length: 8 }, () => estimateInputTokens(user(text), upTo(32_768))),
        );
        expect(new Set(estimates).size).toBe(1);
      });
      expect(heldMs).toBeLessThan(50);
    },
  );

  it('counts one request of an account at a time, and those of other accounts meanwhile', async () => {
    const done: string[] = [];
    const count = (accountId: string, text: string) =>
      countInputTokens(user(text), upTo(1e6, accountId)).then(() => done.push(accountId));
    const long = 'words of all kinds '.repeat(20_000);
    await Promise.all([...Array.from({ length: 5 }, () => count('greedy', long)), count('modest', long)]);
    expect(done.indexOf('modest')).toBeLessThan(3);
  });

  it('ends when the caller leaves, and then counts the next request', async () => {
    const gone = new AbortController();
    const long = 'words of all kinds '.repeat(20_000);
    const given = countInputTokens(user(long), upTo(1e6, 'account', gone.signal));
    const next = countInputTokens(user('a'), upTo(1e6));
    gone.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    expect(await next).toBe(1);
  });
});
