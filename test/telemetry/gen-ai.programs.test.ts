import { expect, it, onTestFinished } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { maxContentLength } from '#server/features/chat/backends/span-content.ts';
import { openTelemetry } from '#server/telemetry/open-telemetry.ts';
import { ask, askForStream, startChatServer } from '#test/support/chat.ts';
import { scraped } from '#test/metrics/scraped.ts';
import { numberedUpstreams, writeModelsFile } from '#test/support/models.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { startCollector, type ReceivedSpan } from './collector.ts';

const describe = describeWith(
  '@opentelemetry/exporter-logs-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-logs',
  '@opentelemetry/sdk-trace',
);

const env = {
  CUBBY_AI_UPSTREAM_MODEL: 'tiny',
  CUBBY_AI_STREAMING: 'on',
  CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed',
};
const parameters = {
  max_tokens: 77,
  temperature: 0.5,
  top_p: 0.9,
  stop: ['END'],
  seed: 3,
  presence_penalty: 1,
  frequency_penalty: -1,
};
const asked = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'tiny',
  'gen_ai.request.max_tokens': 77,
  'gen_ai.request.temperature': 0.5,
  'gen_ai.request.top_p': 0.9,
  'gen_ai.request.stop_sequences': ['END'],
  'gen_ai.request.seed': 3,
  'gen_ai.request.presence_penalty': 1,
  'gen_ai.request.frequency_penalty': -1,
  'server.address': '127.0.0.1',
};
const canary = { messages: [{ role: 'user', content: 'canary-of-the-prompt' }], ...parameters };
const usage = {
  prompt_tokens: 24,
  completion_tokens: 22,
  prompt_tokens_details: { cached_tokens: 16 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

async function traced(more: Record<string, string> = {}, search = false) {
  const collector = await startCollector();
  const telemetry = await openTelemetry(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).telemetry!);
  onTestFinished(() => telemetry.close());
  const setup = await startChatServer({ env: { ...env, ...more }, search, tracing: telemetry.tracing });
  const { credential } = await setup.server.account('enterprise');
  const spans = async (name: string): Promise<readonly ReceivedSpan[]> => {
    await expect.poll(() => setup.server.log.some(({ message }) => message === 'request')).toBe(true);
    await telemetry.close();
    return collector.spans.filter((span) => span.name.startsWith(name));
  };
  return { ...setup, credential, collector, spans };
}

const whole = {
  status: 200,
  body: JSON.stringify({
    id: 'chatcmpl-upstream',
    model: 'tiny-2026-04',
    choices: [{ index: 0, message: { role: 'assistant', content: 'canary-of-the-answer' }, finish_reason: 'stop' }],
    usage,
  }),
};
const piece = (fields: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-upstream', model: 'tiny-2026-04', ...fields })}\n\n`;
const pieces = [
  piece({ choices: [{ index: 0, delta: { content: 'canary-of-' } }] }),
  piece({ choices: [{ index: 0, delta: { content: 'the-answer' }, finish_reason: 'stop' }] }),
  piece({ choices: [], usage }),
  'data: [DONE]\n\n',
];
const answered = {
  'gen_ai.response.id': 'chatcmpl-upstream',
  'gen_ai.response.model': 'tiny-2026-04',
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.input_tokens': 24,
  'gen_ai.usage.output_tokens': 22,
  'gen_ai.usage.cache_read.input_tokens': 16,
  'gen_ai.usage.reasoning.output_tokens': 5,
};

describe('the span of a model’s server', () => {
  it('has what was asked for and what came, and no contents', async () => {
    const { server, upstream, credential, collector, spans } = await traced();
    upstream.answer(whole as never, { pieces });
    await ask(server, credential, canary);
    await askForStream(server, credential, canary);
    const [first, stream] = await spans('chat tiny');
    expect(first!.attributes).toMatchObject({ ...asked, ...answered });
    expect(first!.attributes['gen_ai.request.stream']).toBeUndefined();
    expect(stream!.attributes).toMatchObject({ ...asked, ...answered, 'gen_ai.request.stream': true });
    expect(stream!.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
    expect(JSON.stringify(collector.spans)).not.toContain('canary');
    const request = collector.spans.find(({ name }) => name.startsWith('POST'))!;
    expect(request.attributes).toMatchObject({ 'gen_ai.request.model': 'cubic' });
  });

  it('has the names of called functions, and a search is a span of its own', async () => {
    const { server, upstream, credential, spans } = await traced({}, true);
    upstream.answer(
      { toolCalls: [{ id: 'c', name: 'web_search', arguments: '{"query":"canary"}' }] },
      { text: 'Found.' },
    );
    await ask(server, credential, 'hello');
    const all = await spans('');
    expect(all.find(({ name }) => name === 'chat tiny')!.attributes).toMatchObject({
      'cubby.tool_calls': ['web_search'],
    });
    expect(all.find(({ name }) => name === 'execute_tool web_search')!.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'web_search',
      'gen_ai.tool.type': 'function',
    });
    expect(JSON.stringify(all)).not.toContain('canary');
  });

  it('of embeddings is complete too, and of a failure has its kind', async () => {
    const { server, upstream, credential, spans } = await traced();
    const embed = (body: object) =>
      server.send('/v2/ai/embeddings', { method: 'POST', credential, body: JSON.stringify(body) });
    await embed({ input: 'canary', dimensions: 8 });
    upstream.answer({ status: 500, body: '{}' });
    await embed({ input: 'canary' });
    const [first, failed] = await spans('embeddings nomic-embed');
    expect(first!.attributes).toMatchObject({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'nomic-embed',
      'gen_ai.request.encoding_formats': ['float'],
      'gen_ai.embeddings.dimension.count': 8,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'server.port': expect.any(Number),
    });
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'http.response.status_code': 500 } });
    expect(failed!.attributes['error.type']).toEqual(expect.any(String));
  });

  it('has messages and answers only with CUBBY_AI_TRACE_CONTENT=on', async () => {
    const { server, upstream, credential, spans } = await traced({ CUBBY_AI_TRACE_CONTENT: 'on' });
    const tools = [{ type: 'function', function: { name: 'find_invoice', parameters: { type: 'object' } } }];
    const call = { id: 'call_1', name: 'find_invoice', arguments: '{"month":"2026-04"}' };
    upstream.answer(whole as never, { pieces }, { toolCalls: [call] });
    await ask(server, credential, { messages: [{ role: 'system', content: 'Be short.' }, ...canary.messages] });
    await askForStream(server, credential, canary);
    await ask(server, credential, {
      tools,
      messages: [
        { role: 'user', content: 'first' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'find_invoice', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_0', content: 'nothing' },
      ],
    });
    const [first, stream, calls] = (await spans('chat tiny')).map(({ attributes }) => ({
      input: JSON.parse(attributes['gen_ai.input.messages'] as string),
      output: JSON.parse(attributes['gen_ai.output.messages'] as string),
    }));
    const text = (content: string) => [{ type: 'text', content }];
    const output = [{ role: 'assistant', parts: text('canary-of-the-answer'), finish_reason: 'stop' }];
    expect(first).toEqual({
      input: [
        { role: 'system', parts: text('Be short.') },
        { role: 'user', parts: text('canary-of-the-prompt') },
      ],
      output,
    });
    expect(stream!.output).toEqual(output);
    expect(calls).toEqual({
      input: [
        { role: 'user', parts: text('first') },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_0', name: 'find_invoice', arguments: '{}' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_0', response: 'nothing' }] },
      ],
      output: [{ role: 'assistant', parts: [{ type: 'tool_call', ...call }], finish_reason: 'tool_calls' }],
    });
  });

  it.each(['off', 'on'])('has them for servers of a file of models too: %s', async (setting) => {
    const [upstream] = await numberedUpstreams(1);
    const file = writeModelsFile({ models: [{ name: 'cubic', upstreams: [{ url: upstream!.url, model: 'tiny' }] }] });
    const { server, credential, spans } = await traced({
      CUBBY_AI_TRACE_CONTENT: setting,
      CUBBY_AI_MODELS_FILE: file.path,
      CUBBY_AI_UPSTREAM_URL: '',
      CUBBY_AI_UPSTREAM_MODEL: '',
      CUBBY_AI_EMBEDDINGS_MODEL: '',
    });
    await ask(server, credential, 'canary');
    const [{ attributes }] = (await spans('chat tiny')) as [ReceivedSpan];
    const shown = [attributes['gen_ai.input.messages'], attributes['gen_ai.output.messages']];
    expect(shown.map((text) => text !== undefined)).toEqual([setting === 'on', setting === 'on']);
  });

  it('has at most the newest messages of a long conversation', async () => {
    const { server, upstream, credential, spans } = await traced({ CUBBY_AI_TRACE_CONTENT: 'on' });
    upstream.answer({ text: 'x'.repeat(maxContentLength + 10) });
    const long = { role: 'user', content: 'lorem ipsum '.repeat(2000) };
    await ask(server, credential, {
      messages: [{ role: 'user', content: 'oldest' }, long, long, { role: 'user', content: 'newest' }],
    });
    const [{ attributes }] = (await spans('chat tiny')) as [ReceivedSpan];
    const input = attributes['gen_ai.input.messages'] as string;
    expect(JSON.parse(input)).toHaveLength(3);
    expect([input.includes('newest'), input.includes('oldest')]).toEqual([true, false]);
    expect(input.length).toBeLessThan(maxContentLength + 500);
    expect((attributes['gen_ai.output.messages'] as string).length).toBeLessThan(maxContentLength + 200);
  });
});

describe('the id of a request', () => {
  it('goes to the model’s server with the trace, and is that of the response and the log', async () => {
    const { server, upstream, credential, spans } = await traced();
    const send = (path: string, body: object, id?: string) =>
      server.send(path, {
        method: 'POST',
        credential,
        body: JSON.stringify(body),
        headers: id ? { 'X-Request-Id': id } : {},
      });
    const answers = [
      await send('/v2/ai/chat/completions', canary, 'request-of-mine-1'),
      await send('/v2/ai/chat/completions', { ...canary, stream: true }, 'request-of-mine-2'),
      await send('/v2/ai/embeddings', { input: 'hello' }, 'request-of-mine-3'),
      await send('/v2/ai/chat/completions', canary),
      await send('/v2/ai/chat/completions', canary, 'bad id\u00e9'),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(ids.slice(0, 3)).toEqual(['request-of-mine-1', 'request-of-mine-2', 'request-of-mine-3']);
    expect(ids[4]).toMatch(/^[0-9a-f-]{36}$/);
    expect(upstream.requests.map(({ headers }) => headers['x-request-id'])).toEqual(ids);
    expect(upstream.requests.every(({ headers }) => headers.traceparent !== undefined)).toBe(true);
    await expect.poll(() => server.log.filter(({ message }) => message === 'request')).toHaveLength(5);
    expect(server.log.filter(({ message }) => message === 'request').map(({ request_id }) => request_id)).toEqual(ids);
    await spans('');
  });

  it('is on every answer of the gateway, and goes to the server without traces too', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account();
    await ask(server, credential, 'hello');
    expect(upstream.requests[0]!.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    for (const path of ['models', 'models/cubic', 'usage', 'requests', 'nowhere'])
      expect((await server.send(`/v2/ai/${path}`, { credential })).headers.get('x-request-id')).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    for (const answer of [await ask(server, 'cbk_wrong', 'hello'), await ask(server, credential, { messages: [] })])
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the metrics', () => {
  it('measure requests to models, the first token of streams, and tokens', async () => {
    const { server, upstream } = await startChatServer({ env: { ...env, CUBBY_AI_CACHE_SECONDS: '60' } });
    const { credential } = await server.account('enterprise');
    upstream.answer(whole as never, { pieces }, { status: 400, body: '{}' });
    await ask(server, credential, { ...canary, temperature: 0 });
    await askForStream(server, credential, canary);
    await ask(server, credential, 'refused');
    await ask(server, credential, { ...canary, temperature: 0 });
    const { text } = scraped((await server.send('/metrics', { door: 'operator' })).body.toString());
    const of = (name: string, labels: string) => new RegExp(`^${name}\\{${labels}\\} (.*)$`, 'm').exec(text)?.[1];
    const chat = 'operation="chat",model="cubic"';
    expect(of('cubby_ai_request_duration_seconds_count', `${chat},outcome="answered"`)).toBe('2');
    expect(of('cubby_ai_request_duration_seconds_count', `${chat},outcome="invalid_request"`)).toBe('1');
    expect(of('cubby_ai_time_to_first_token_seconds_count', chat)).toBe('1');
    expect(of('cubby_ai_time_per_output_token_seconds_count', chat)).toBe('1');
    expect(of('cubby_ai_request_tokens_sum', `${chat},kind="input"`)).toBe('48');
    expect(of('cubby_ai_request_tokens_sum', `${chat},kind="output"`)).toBe('44');
    expect(of('cubby_ai_cached_total', chat)).toBe('1');
  });
});
