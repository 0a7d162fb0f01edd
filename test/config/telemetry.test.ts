import { describe, expect, it } from 'vitest';

import { checkConfig, parseConfig } from '#server/config/config.ts';

const endpoint = 'http://collector:4318/';

describe('telemetry', () => {
  it.each([
    ['nothing is set', {}],
    ['only a name is set', { OTEL_SERVICE_NAME: 'files' }],
    ['it is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }],
    [
      'both exporters are none',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
    ],
  ])('is off when %s', (_name, env) => {
    expect(parseConfig(env).telemetry).toBeUndefined();
  });

  it('sends both signals to the paths below the common endpoint', () => {
    expect(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).telemetry).toEqual({
      traces: { url: 'http://collector:4318/v1/traces', headers: {} },
      logs: { url: 'http://collector:4318/v1/logs', headers: {} },
      serviceName: 'cubby',
      resource: {},
      sampledShare: 1,
      delayMs: 5000,
    });
  });

  it('takes the endpoint and the headers of one signal as they are', () => {
    const { telemetry } = parseConfig({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=two%20words',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=3',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(telemetry).toMatchObject({
      traces: { url: 'https://traces.example.com/otlp', headers: { a: '3', b: 'two words' } },
      logs: undefined,
      sampledShare: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be http\/json/],
    ['OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', 'http/protobuf', /must be http\/json/],
    ['OTEL_TRACES_EXPORTER', 'zipkin', /must be otlp or none/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', /must be an http or https URL/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-without-name', /must be pairs such as a=1/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz', /must be pairs such as a=1/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /must be always_on/],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon', /whole number of milliseconds/],
  ])('refuses %s=%s with words', (name, value, words) => {
    const { problems } = checkConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, [name]: value });
    expect(problems).not.toEqual([]);
    expect(
      problems.every((problem) => words.test(problem)),
      problems.join('\n'),
    ).toBe(true);
    expect(problems.join('\n')).not.toContain('secret');
  });
});
