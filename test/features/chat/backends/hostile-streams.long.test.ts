import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { UpstreamStream } from '#mocks/chat-upstream.ts';
import { chunkOf, chunksOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import type { ModelDelta } from '#server/features/chat/conversation/chat-delta.ts';
import { ReceivedAnswer } from '#server/features/chat/conversation/received-answer.ts';
import type { ChatModel } from '#server/features/chat/models/chat-model.ts';
import type { ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import { patience, question, startChain } from '#test/support/chat-model.ts';

const tools = [{ name: 'find' }, { name: 'list' }];
const call = (index: unknown, id: unknown, name: unknown, given: unknown) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }],
});

/** Returns all pieces of a stream. */
async function piecesOf(model: ChatModel, turn: ChatTurn): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  await model.stream(turn, patience, { emit: async (delta) => void deltas.push(delta) });
  return deltas;
}

/** Streams one behaviour, and folds its pieces. */
async function folded(behaviour: UpstreamStream, turn = question('hello', { tools })) {
  const { upstreams, model } = await startChain({ pausesMs: [] });
  upstreams[0]!.answer(behaviour);
  const deltas = await piecesOf(model, turn);
  const received = new ReceivedAnswer();
  for (const delta of deltas) received.add(delta);
  return { deltas, ...received.answer(received.usage ?? { inputTokens: 0, outputTokens: 0 }) };
}

const ended = (...pieces: readonly string[]) => ({ pieces: [...pieces, chunkOf({}, 'stop'), eventOf('[DONE]')] });

describe('the stream of an upstream', () => {
  it.each([
    [
      'no numbers',
      [
        call(undefined, 'a', 'find', '{"x":'),
        call(undefined, undefined, undefined, '1}'),
        call(undefined, 'b', 'list', '{}'),
      ],
    ],
    ['the number 0 for all', [call(0, 'a', 'find', '{"x":1}'), call(0, 'b', 'list', '{}')]],
    [
      'their names after their ids',
      [call(0, 'a', undefined, undefined), call(0, undefined, 'find', '{"x":1}'), call(1, 'b', 'list', '')],
    ],
    [
      'their id and name in each piece',
      [call(0, 'a', 'find', '{"x"'), call(0, 'a', 'find', ':1}'), call(1, 'b', 'list', '{}')],
    ],
    ['objects as arguments', [call(0, 'a', 'find', { x: 1 }), call(1, 'b', 'list', {})]],
  ])('may give calls %s', async (_, calls) => {
    const { toolCalls, finishReason } = await folded(ended(...calls.map((delta) => chunkOf(delta))));
    expect(finishReason).toBe('tool_calls');
    expect(toolCalls).toEqual([
      { id: 'a', name: 'find', arguments: '{"x":1}' },
      { id: 'b', name: 'list', arguments: '{}' },
    ]);
  });

  it('has no calls of functions that were not offered, and unique ids', async () => {
    const calls = [
      call(0, 'a', 'secret', '{"a":'),
      call(0, undefined, undefined, '1}'),
      call(1, 'a', 'find', '{}'),
      call(2, 'a', 'list', '{}'),
    ];
    const { toolCalls } = await folded(ended(chunkOf({ content: 'Well.' }), ...calls.map((delta) => chunkOf(delta))));
    expect(toolCalls).toEqual([
      { id: 'a', name: 'find', arguments: '{}' },
      { id: 'made_up_1', name: 'list', arguments: '{}' },
    ]);
  });

  it('may have any line ends, comments, names of events and a byte order mark', async () => {
    const body = [...chunksOf({ text: 'one two' })].join('').replaceAll('\n', '\r\n');
    const { text, usage } = await folded({
      pieces: [`\ufeff: ping\r\n\r\nevent: message\r\nid: 7\r\nretry: 5\r\n${body}`],
    });
    expect([text, usage]).toEqual(['one two', { inputTokens: 12, outputTokens: 5 }]);
  });

  it('may come byte by byte, also within a letter', async () => {
    const bytes = Buffer.from([...chunksOf({ text: 'größe 漢字 😀' })].join(''));
    expect((await folded({ pieces: Array.from(bytes, (byte) => Buffer.from([byte])) })).text).toBe('größe 漢字 😀');
  });

  it('may have several choices, of which the first counts', async () => {
    const two = eventOf({
      choices: [
        { index: 1, delta: { content: 'no' } },
        { index: 0, delta: { content: 'yes' } },
      ],
    });
    expect((await folded(ended(two, eventOf({ choices: [] }), eventOf({ object: 'ping' })))).text).toBe('yes');
  });

  it.each<[string, UpstreamStream]>([
    ['a line without an end', { pieces: ['data: ', ...Array<string>(40).fill('x'.repeat(8192))], atEnd: 'open' }],
    ['an event without an end', { pieces: Array<string>(40).fill(`data: ${'x'.repeat(8192)}\n`), atEnd: 'open' }],
    [
      'an answer without an end',
      { pieces: Array<string>(30).fill(chunkOf({ content: 'x'.repeat(50_000) })), atEnd: 'open' },
    ],
    ['comments without an end', { pieces: Array<string>(1100).fill(`: ${'x'.repeat(16_384)}\n\n`), atEnd: 'open' }],
    [
      'calls without an end',
      { pieces: Array.from({ length: 1100 }, (_, at) => chunkOf(call(at, `i${at}`, 'no', ''))), atEnd: 'open' },
    ],
    ['no JSON', { pieces: ['data: {"choices":[{"delta":{"content":NaN}}]}\n\n'] }],
    ['a list', { pieces: [eventOf('[1]'), eventOf('7'), eventOf('null')] }],
    ['compressed bytes', { pieces: [gzipSync('x'.repeat(1_000_000))], headers: { 'content-encoding': 'gzip' } }],
    ['nothing', { pieces: [] }],
    ['an error', { pieces: [eventOf({ error: { message: 'secret path /srv/models', type: 'oops' } })] }],
    ['an error as its reason', { pieces: [chunkOf({ content: 'a' }), chunkOf({}, 'error')] }],
  ])('with %s fails without a word of the server', async (_, behaviour) => {
    const startedAt = performance.now();
    const failure = await folded(behaviour).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).name).toBe('ChatModelUnavailable');
    expect((failure as Error).message).not.toMatch(/secret|srv|xxx|oops/);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('that never ends after its answer is cut off', async () => {
    const drip = async function* () {
      yield* chunksOf({ text: 'whole', usage: null }, false).take(3);
      for (;;) {
        yield ': still here\n\n';
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const { text, finishReason } = await folded({ pieces: drip() });
    expect([text, finishReason]).toEqual(['whole', 'stop']);
  });

  it('of any bytes gives an answer or a failure, and never another error', async () => {
    const { upstreams, model } = await startChain({ pausesMs: [] });
    const withoutBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? 1 : value);
    const parts = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 50 }),
      fc.json().map((json) => `data: ${json}\n\n`),
      fc.constantFrom(
        'data: [DONE]\n\n',
        'data:\n\n',
        '\r',
        '\n',
        'data: ',
        ': c\n\n',
        chunkOf({ content: 'a' }),
        chunkOf({}, 'stop'),
      ),
      fc
        .record({ delta: fc.anything(), finish_reason: fc.anything(), index: fc.anything() }, { requiredKeys: [] })
        .map((choice) => `data: ${JSON.stringify({ choices: [choice], usage: choice.delta }, withoutBigints)}\n\n`),
      fc
        .record({ index: fc.anything(), id: fc.anything(), function: fc.anything() }, { requiredKeys: [] })
        .map((one) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [one] } }] }, withoutBigints)}\n\n`),
    );
    const property = fc.asyncProperty(fc.array(parts, { maxLength: 12 }), async (pieces) => {
      upstreams[0]!.answer({ pieces });
      const outcome = await piecesOf(model, question('hello', { tools })).then(
        (deltas) => deltas.at(-1)!.type,
        (error: Error) => error.name,
      );
      expect(['end', 'ChatModelUnavailable', 'Refusal', 'ToolsNotSupported']).toContain(outcome);
    });
    await fc.assert(property, { numRuns: process.env.CUBBY_TEST_LONG === '1' ? 20_000 : 300 });
  });
});
