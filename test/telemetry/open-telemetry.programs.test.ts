import { expect, it, onTestFinished } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { openTelemetry, type Telemetry } from '#server/telemetry/open-telemetry.ts';
import { startProgram, temporaryFolder } from '#test/start/program.ts';
import { someUpstream } from '#test/support/chat-model.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '#test/support/server.ts';
import { startCollector, type Collector } from './collector.ts';

const describe = describeWith(
  '@opentelemetry/exporter-logs-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-logs',
  '@opentelemetry/sdk-trace',
);

interface Traced {
  readonly server: TestServer;
  readonly collector: Collector;
  /** Sends all spans so far. */
  flush(): Promise<void>;
}

async function traced(env: Record<string, string> = {}, options: TestServerOptions = {}): Promise<Traced> {
  const collector = await startCollector();
  const telemetry = await telemetryFor({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const server = await startTestServer({ ...options, env, tracing: telemetry.tracing });
  return { server, collector, flush: () => telemetry.close() };
}

async function telemetryFor(env: Record<string, string>): Promise<Telemetry> {
  const telemetry = await openTelemetry(parseConfig(env).telemetry!);
  onTestFinished(() => telemetry.close());
  return telemetry;
}

const [traceId, callerId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const traceparent = `00-${traceId}-${callerId}-01`;

const server = 2;
const client = 3;

describe('a request', () => {
  it('is a span of its caller’s trace, named by the contract, and its log line names it', async () => {
    const { server: cubby, collector, flush } = await traced();
    const account = await cubby.account();
    await cubby.send(`/v1/objects/info?object=pub/${account.id}/secret-name`, {
      credential: account.credential,
      headers: { traceparent, tracestate: 'vendor=1' },
    });
    await expect.poll(() => cubby.log.filter(({ message }) => message === 'request')).toHaveLength(1);
    await flush();
    const [span] = collector.spans;
    expect(collector.spans).toHaveLength(1);
    expect(span).toMatchObject({
      name: 'GET /v1/objects/info',
      kind: server,
      traceId,
      parentSpanId: callerId,
      traceState: 'vendor=1',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/objects/info',
        'http.response.status_code': 404,
        'cubby.door': 'api',
        'cubby.operation': 'getObjectInfo',
        'cubby.code': 'OBJECT_NOT_FOUND',
      },
    });
    // Only the server's own errors make a span of a server a failed one.
    expect(span!.status.code ?? 0).toBe(0);
    expect(JSON.stringify(collector.spans)).not.toMatch(/secret-name|cbk_/);
    expect(cubby.log.find(({ message }) => message === 'request')).toMatchObject({
      trace_id: traceId,
      span_id: span!.spanId,
    });
  });

  it('begins a trace of its own without a valid context', async () => {
    const { server: cubby, collector, flush } = await traced();
    for (const header of ['', 'nonsense', `00-${'0'.repeat(32)}-${callerId}-01`, `ff-${traceId}-${callerId}-01`])
      await cubby.send('/livez', { headers: { traceparent: header } });
    await flush();
    expect(collector.spans).toHaveLength(4);
    expect(new Set(collector.spans.map((span) => span.traceId)).size).toBe(4);
    expect(collector.spans.filter((span) => span.parentSpanId)).toEqual([]);
  });

  it('is not recorded when its caller decided so', async () => {
    const { server: cubby, collector, flush } = await traced();
    await cubby.send('/livez', { headers: { traceparent: traceparent.replace(/1$/, '0') } });
    await flush();
    expect(collector.spans).toEqual([]);
  });
});

describe('a call of the AI gateway', () => {
  it('is a span by the GenAI conventions, without contents, and passes the trace on', async () => {
    const upstream = await someUpstream();
    const {
      server: cubby,
      collector,
      flush,
    } = await traced({
      CUBBY_AI_UPSTREAM_URL: upstream.url,
      CUBBY_AI_UPSTREAM_MODEL: 'tiny',
    });
    const { credential } = await cubby.account();
    const sent = { messages: [{ role: 'user', content: 'canary-of-the-prompt' }], max_tokens: 77 };
    await cubby.send('/v2/ai/chat/completions', {
      method: 'POST',
      credential,
      body: JSON.stringify(sent),
      headers: { traceparent },
    });
    await expect.poll(() => cubby.log.filter(({ message }) => message === 'request')).toHaveLength(1);
    await flush();
    const chat = collector.spans.find(({ name }) => name === 'chat tiny')!;
    const request = collector.spans.find(({ kind }) => kind === server)!;
    expect(chat).toMatchObject({ kind: client, traceId, parentSpanId: request.spanId });
    expect(chat.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'tiny',
      'gen_ai.request.max_tokens': 77,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.response.finish_reasons': ['stop'],
      'server.address': '127.0.0.1',
    });
    expect(JSON.stringify(collector.spans)).not.toContain('canary-of-the-prompt');
    expect(upstream.requests[0]!.headers.traceparent).toBe(`00-${traceId}-${chat.spanId}-01`);
  });

  it('has the kind of its failure', async () => {
    const {
      server: cubby,
      collector,
      flush,
    } = await traced({
      CUBBY_AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1',
      CUBBY_AI_UPSTREAM_MODEL: 'tiny',
    });
    const { credential } = await cubby.account();
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'x' }] });
    await cubby.send('/v2/ai/chat/completions', { method: 'POST', credential, body });
    await flush();
    const [chat] = collector.spans.filter(({ name }) => name === 'chat tiny');
    expect(chat).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'unreachable' } });
  });
});

it('a purge that a request waits for passes its trace on', async () => {
  const hook = await startHookServer();
  const {
    server: cubby,
    collector,
    flush,
  } = await traced({
    CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/purge?token=secret`,
    CUBBY_PUBLIC_URL: 'https://cdn.example.com',
  });
  const account = await cubby.account();
  const { id } = (await upload(cubby, account)).json().response;
  await cubby.send('/v1/objects', {
    method: 'PATCH',
    credential: account.credential,
    body: JSON.stringify({ object: id, private: true }),
    headers: { traceparent },
  });
  await expect.poll(() => hook.calls.length).toBeGreaterThan(0);
  await expect.poll(() => cubby.log.filter(({ operation }) => operation === 'updateObjects')).toHaveLength(1);
  await flush();
  const purge = collector.spans.find(({ name, traceId: id }) => name === 'purge CDN' && id === traceId)!;
  expect(hook.calls.map(({ headers }) => headers.traceparent)).toContain(`00-${traceId}-${purge.spanId}-01`);
  expect(JSON.stringify(collector.spans)).not.toContain('secret');
});

describe('a server with the standard variables', () => {
  it('sends its traces and its log, with what they say about it', async () => {
    const collector = await startCollector();
    const program = await startProgram({
      dataDir: await temporaryFolder(),
      env: {
        CUBBY_LOG: 'info',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
        OTEL_SERVICE_NAME: 'files',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    });
    await fetch(`${program.api}/livez`, { headers: { traceparent } });
    const { stderr } = await program.stop();
    expect(collector.spans.find((span) => span.traceId === traceId)).toMatchObject({ name: 'GET /livez' });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'files',
      'deployment.environment.name': 'test',
    });
    const request = collector.records.find((record) => record.traceId === traceId)!;
    expect(request).toMatchObject({ body: 'request', severityText: 'info', attributes: { operation: 'getLiveness' } });
    // The last line is sent before the process ends.
    expect(collector.records.at(-1)).toMatchObject({ body: 'stopped' });
    expect(new Set(collector.credentials)).toEqual(new Set(['Bearer secret']));
    expect(stderr).toContain(`"trace_id":"${traceId}"`);
  });

  it('serves and stops although no collector is there', async () => {
    const program = await startProgram({
      dataDir: await temporaryFolder(),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    });
    expect((await fetch(`${program.api}/livez`)).status).toBe(200);
    expect((await program.stop()).code).toBe(0);
  });
});
