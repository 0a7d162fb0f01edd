import { describe, expect, it } from 'vitest';

import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { chunkOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import { fieldRejections, upstreamErrors } from '#mocks/chat-upstream-errors.ts';
import { openUpstream } from '#server/features/chat/backends/open-upstream.ts';
import type { ModelDelta } from '#server/features/chat/conversation/chat-delta.ts';
import type { ChatToolCall, ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import { ReceivedAnswer } from '#server/features/chat/conversation/received-answer.ts';
import type { ChatModel } from '#server/features/chat/models/chat-model.ts';
import { patience, question, someUpstream, startChain } from '#test/support/chat-model.ts';
import { TestClock } from '#test/support/clock.ts';

const schema = { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] };
const json = '{"month":"May"}';
const responseFormat = { type: 'json_schema', name: 'invoice', schema, strict: true } as const;
const find = { name: 'find', parameters: { type: 'object', properties: {} } };

/** A turn with each of the fields that a server of chats may reject. */
const turns = {
  response_format: question('Which month?', { responseFormat }),
  reasoning_effort: question('Which month?', { reasoningEffort: 'low' }),
  reasoning_content: {
    ...question(),
    messages: [
      { role: 'user', content: 'Which month?' },
      { role: 'assistant', content: 'Hm.', reasoning: { field: 'reasoning_content', text: 'I think.' } },
      { role: 'user', content: 'Well?' },
    ],
  },
  reasoning_details: {
    ...question(),
    messages: [
      { role: 'assistant', content: 'Hm.', sealed: { details: [{ type: 'reasoning.text', text: 'I think.' }] } },
      { role: 'user', content: 'Well?' },
    ],
  },
  extra_content: {
    ...question(),
    messages: [
      {
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'a', name: 'find', arguments: '{}', sealed: { extra: { google: { is_sealed: true } } } }],
      },
      { role: 'tool', content: 'x', toolCallId: 'a' },
    ],
  },
} as const satisfies Readonly<Record<Exclude<keyof typeof fieldRejections, 'encoding_format'>, ChatTurn>>;

const fields = Object.keys(turns) as Array<keyof typeof turns>;
const cases = fields.flatMap((field) =>
  fieldRejections[field].flatMap((rejection) =>
    (['whole', 'streamed'] as const).map((form) => [field, form, JSON.stringify(rejection.body), rejection] as const),
  ),
);

/** Rejects requests with the field, and answers others: with the call of a function if one is offered. */
function rejecting(field: string, rejection: UpstreamBehaviour): UpstreamBehaviour {
  return ({ body }) => {
    if (JSON.stringify(body).includes(`"${field}"`)) return rejection;
    const [first] = (body.tools ?? []) as ReadonlyArray<{ function: { name: string } }>;
    return first
      ? { text: 'I answer.', toolCalls: [{ id: 'a', name: first.function.name, arguments: json }] }
      : { text: 'May' };
  };
}

const callText = ({ name, arguments: given }: ChatToolCall) => `${name} ${given}`;

interface Said {
  readonly text: string;
  readonly calls: readonly string[];
  readonly finishReason: string;
}

/** Asks in one of the two forms, and returns the answer as its reader has it. */
async function say(model: Pick<ChatModel, 'complete' | 'stream'>, turn: ChatTurn, form: string): Promise<Said> {
  if (form === 'whole') {
    const { text, toolCalls, finishReason } = await model.complete(turn, patience);
    return { text: text ?? '', calls: toolCalls.map(callText), finishReason };
  }
  const deltas: ModelDelta[] = [];
  await model.stream(turn, patience, { emit: async (delta) => void deltas.push(delta) });
  const answer = new ReceivedAnswer();
  for (const delta of deltas) answer.add(delta);
  const { text, toolCalls, finishReason } = answer.answer({ inputTokens: 1, outputTokens: 1 });
  return { text: text ?? '', calls: toolCalls.map(callText), finishReason };
}

describe('a server that rejects a field', () => {
  it.each(cases)('is asked again without %s, %s: %s', async (field, form, _, rejection) => {
    const { upstreams, model, attempts } = await startChain();
    upstreams[0]!.answer(rejecting(field, rejection));
    const expected = { text: field === 'response_format' ? json : 'May', calls: [], finishReason: 'stop' };
    expect(await say(model, turns[field], form)).toEqual(expected);
    expect(await say(model, turns[field], form)).toEqual(expected);
    // The second request knows it, and the breaker and the log see one attempt each.
    expect([upstreams[0]!.requests.length, attempts]).toEqual([3, ['1 answered', '1 answered']]);
  });

  it.each(['whole', 'streamed'])('gets the field again after ten minutes: %s', async (form) => {
    const upstream = await someUpstream();
    upstream.answer(rejecting('reasoning_effort', fieldRejections.reasoning_effort[0]));
    let nowMs = 0;
    const rejected: string[] = [];
    const server = openUpstream(
      { url: upstream.url, key: undefined, model: 'tiny' },
      {
        newCallId: () => 'made_up',
        clock: new TestClock(),
        nowMs: () => nowMs,
        onRejected: (field) => rejected.push(field),
      },
    );
    const ask = async () => {
      if (form === 'whole') await server.ask(turns.reasoning_effort, patience);
      else await server.stream(turns.reasoning_effort, patience, { emit: async () => {} });
      return upstream.requests.length;
    };
    expect([await ask(), await ask()]).toEqual([2, 3]);
    nowMs = 10 * 60_000;
    expect([await ask(), rejected]).toEqual([5, ['reasoning_effort', 'reasoning_effort']]);
    await server.close();
  });

  it('is asked with it by the next request if it rejects the request without it too', async () => {
    const { upstreams, model } = await startChain();
    upstreams[0]!.answer(fieldRejections.reasoning_effort[0]);
    for (let time = 0; time < 2; time++)
      await expect(model.complete(turns.reasoning_effort, patience)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(upstreams[0]!.requests.map(({ body }) => 'reasoning_effort' in body)).toEqual([true, false, true, false]);
  });

  it.each([
    ['of another reason', turns.response_format, upstreamErrors.openai.badRequest],
    [
      'of a wrong schema',
      turns.response_format,
      {
        status: 400,
        body: {
          error: { message: "Invalid schema for response_format 'invoice': In context=(), 'x' is not permitted." },
        },
      },
    ],
    ['of a field that the turn does not have', question(), fieldRejections.response_format[0]],
    [
      'of a format that is no object',
      question('?', { responseFormat: { ...responseFormat, schema: { type: 'array' } } }),
      fieldRejections.response_format[0],
    ],
  ] as const)('is not asked again because %s', async (_, turn, rejection) => {
    const { upstreams, model } = await startChain();
    upstreams[0]!.answer(rejection);
    await expect(model.complete(turn, patience)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(upstreams[0]!.requests.length).toBe(1);
  });
});

describe.each(['whole', 'streamed'])('JSON as the arguments of a function, %s', (form) => {
  /** Says how the server is asked, and what comes of its answer. */
  async function asked(turn: Partial<ChatTurn>, answer: UpstreamBehaviour) {
    const { upstreams, model } = await startChain();
    upstreams[0]!.answer(fieldRejections.response_format[0], answer);
    const said = await say(model, question('Which month?', { responseFormat, ...turn }), form);
    const { tools, tool_choice: choice, response_format: format } = upstreams[0]!.requests[1]!.body;
    const names = (tools as ReadonlyArray<{ function: { name: string } }> | undefined)?.map(
      (tool) => tool.function.name,
    );
    return { said, names, choice, format };
  }
  const ofFunction = (name: string) => ({ type: 'function', function: { name } });
  const call = (name: string, given = json) => ({ id: `id_${name}`, name, arguments: given });

  it('is the text of the answer, without what the model says before', async () => {
    expect(await asked({}, { text: 'Here:', toolCalls: [call('invoice')] })).toEqual({
      said: { text: json, calls: [], finishReason: 'stop' },
      names: ['invoice'],
      choice: ofFunction('invoice'),
      format: undefined,
    });
  });

  it('stands beside the functions of the caller, one of which the model may call instead', async () => {
    const { said, ...request } = await asked({ tools: [find] }, { toolCalls: [call('find', '{}')] });
    expect(request).toEqual({ names: ['find', 'invoice'], choice: 'required', format: undefined });
    expect(said).toEqual({ text: '', calls: ['find {}'], finishReason: 'tool_calls' });
  });

  it('keeps both when the model calls its function and one of the caller', async () => {
    const both = { toolCalls: [call('invoice'), call('find', '{}'), call('invoice', '{"month":"June"}')] };
    const { said } = await asked({ tools: [find] }, both);
    expect(said).toEqual({ text: json, calls: ['find {}'], finishReason: 'tool_calls' });
  });

  it('has another name if the caller has a function of this name', async () => {
    const { names } = await asked({ tools: [{ ...find, name: 'invoice' }] }, { toolCalls: [call('answer_1')] });
    expect(names).toEqual(['invoice', 'answer_1']);
  });

  it.each(['required', { name: 'find' }] as const)(
    'is not offered when the caller wants a call: %j',
    async (toolChoice) => {
      const { said, names } = await asked({ tools: [find], toolChoice }, { toolCalls: [call('find', '{}')] });
      expect([said.calls, names]).toEqual([['find {}'], ['find']]);
    },
  );

  it('is given with functions that must not be called', async () => {
    const { names, choice } = await asked({ tools: [find], toolChoice: 'none' }, { toolCalls: [call('invoice')] });
    expect([names, choice]).toEqual([['find', 'invoice'], ofFunction('invoice')]);
  });

  it('is what the model says if it calls no function', async () => {
    const { said } = await asked({}, { text: json });
    expect(said).toEqual({ text: json, calls: [], finishReason: 'stop' });
  });

  it('ends with the length where the model was cut off', async () => {
    const { said } = await asked({}, { toolCalls: [call('invoice', '{"month":"M')], finishReason: 'length' });
    expect(said).toEqual({ text: '{"month":"M', calls: [], finishReason: 'length' });
  });

  it('is refused if the model takes no functions', async () => {
    const refused = asked({}, upstreamErrors.ollama.badRequest);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

it("a call of the caller's function that was cut off is dropped, as without such a function", async () => {
  const { upstreams, model } = await startChain();
  const cutOff = [
    { id: 'a', name: 'find', arguments: '{}' },
    { id: 'b', name: 'find', arguments: '{"na' },
  ];
  const turn = question('Which month?', { responseFormat, tools: [find] });
  for (const [toolCalls, said] of [
    [cutOff, { text: '', calls: ['find {}'], finishReason: 'tool_calls' }],
    [cutOff.slice(1), { text: '', calls: [], finishReason: 'length' }],
  ] as const) {
    upstreams[0]!.answer(({ body }) =>
      'response_format' in body ? fieldRejections.response_format[0] : { toolCalls, finishReason: 'length' },
    );
    expect(await say(model, turn, 'whole')).toEqual(said);
  }
});

it('a stream that rejects a field after its first piece is not asked for again', async () => {
  const { upstreams, model } = await startChain();
  const rejection = { error: { code: 400, message: 'reasoning_effort is not supported' } };
  upstreams[0]!.answer({ pieces: [chunkOf({ content: 'Ma' }), eventOf(rejection)] });
  await expect(model.stream(turns.reasoning_effort, patience, { emit: async () => {} })).rejects.toThrow('broke off');
  expect(upstreams[0]!.requests.length).toBe(1);
});

it('a server that ignores the format is asked by a function at once, or not at all', async () => {
  const upstream = await someUpstream();
  upstream.answer({ toolCalls: [{ id: 'a', name: 'invoice', arguments: json }] });
  const server = openUpstream(
    { url: upstream.url, key: undefined, model: 'tiny', asksByFunction: true },
    { newCallId: () => 'made_up', clock: new TestClock() },
  );
  expect(await server.ask(turns.response_format, patience)).toMatchObject({ answer: { text: json } });
  const list = question('?', { responseFormat: { ...responseFormat, schema: { type: 'array' } } });
  expect(await server.ask(list, patience)).toEqual({ failure: { kind: 'refused' } });
  expect(upstream.requests.length).toBe(1);
  await server.close();
});
