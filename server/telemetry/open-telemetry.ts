import { AsyncLocalStorage } from 'node:async_hooks';

import type { Context, Logger, Span, Tracer } from '@opentelemetry/api';

import type { TelemetryConfig } from '#server/config/telemetry.ts';
import { readTraceContext, traceHeaders } from './trace-context.ts';
import type { Attributes, CallSpan, Tracing } from './tracing.ts';

/** Traces and logs that are sent to a collector. */
export interface Telemetry {
  /** Undefined if only logs are sent. */
  readonly tracing: Tracing | undefined;
  /** Sends a line of the log. Undefined if only traces are sent. */
  readonly sendLine: ((line: string) => void) | undefined;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

/** How long the rest may take at the end. */
const closeWithinMs = 5_000;

/**
 * Loads OpenTelemetry, and sends traces and logs as OTLP over HTTP with JSON.
 *
 * @throws if its packages are not installed
 */
export async function openTelemetry(config: TelemetryConfig): Promise<Telemetry> {
  const packages = await loadPackages();
  const { resources } = packages;
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ ...config.resource, 'service.name': config.serviceName }));
  const traces = config.traces && tracerOf(packages, resource, config, config.traces);
  const logs = config.logs && loggerOf(packages, resource, config, config.logs);
  return {
    tracing: traces && tracingOf(packages.api, traces.tracer),
    sendLine: logs && ((line) => emitLine(packages.api, logs.logger, line)),
    async close() {
      const all = Promise.allSettled([traces?.shutdown(), logs?.shutdown()]);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeWithinMs);
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}

const names = ['api', 'sdk-trace', 'sdk-logs', 'resources', 'exporter-trace-otlp-http', 'exporter-logs-otlp-http'];

async function loadPackages() {
  try {
    const [api, trace, logs, resources, traceExporter, logExporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-logs'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/exporter-logs-otlp-http'),
    ]);
    return { api, trace, logs, resources, traceExporter, logExporter };
  } catch (error) {
    const install = names.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed. Run: npm install ' +
        `--no-save ${install}`,
      { cause: error },
    );
  }
}

type Packages = Awaited<ReturnType<typeof loadPackages>>;
type Resource = ReturnType<Packages['resources']['defaultResource']>;
type Destination = NonNullable<TelemetryConfig['traces']>;

function tracerOf(
  { trace, traceExporter }: Packages,
  resource: Resource,
  { sampledShare, delayMs }: TelemetryConfig,
  { url, headers }: Destination,
): { readonly tracer: Tracer; shutdown(): Promise<void> } {
  const exporter = new traceExporter.OTLPTraceExporter({ url, headers });
  const root = new trace.TraceIdRatioBasedSampler(sampledShare);
  const provider = new trace.TracerProvider({
    resource,
    sampler: new trace.ParentBasedSampler({ root }),
    spanProcessors: [new trace.BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  return { tracer: provider.getTracer('cubby'), shutdown: () => provider.shutdown() };
}

function loggerOf(
  { logs, logExporter }: Packages,
  resource: Resource,
  { delayMs }: TelemetryConfig,
  { url, headers }: Destination,
): { readonly logger: Logger; shutdown(): Promise<void> } {
  const exporter = new logExporter.OTLPLogExporter({ url, headers });
  const provider = new logs.LoggerProvider({
    resource,
    processors: [new logs.BatchLogRecordProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  return { logger: provider.getLogger('cubby'), shutdown: () => provider.shutdown() };
}

/** The context is kept here and not in the library's global, because tests run several servers in one process. */
function tracingOf(api: Packages['api'], tracer: Tracer): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, createTraceState, trace } = api;
  const current = new AsyncLocalStorage<Context>();
  const fail = (span: Span, type: string) => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };
  return {
    serve(headers, method, handle) {
      const remote = readTraceContext(headers);
      const parent = remote
        ? trace.setSpanContext(ROOT_CONTEXT, {
            ...remote,
            isRemote: true,
            ...(remote.state && { traceState: createTraceState(remote.state) }),
          })
        : ROOT_CONTEXT;
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
      const { traceId, spanId } = span.spanContext();
      const end: Parameters<typeof handle>[0]['end'] = ({ name, attributes, isFailed }) => {
        span.updateName(name);
        span.setAttributes(given(attributes));
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
      current.run(trace.setSpan(parent, span), () => handle({ traceId, spanId, end }));
    },
    async call(name, attributes, work) {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: given(attributes) }, parent);
      const { traceState, ...own } = span.spanContext();
      const call: CallSpan = {
        headers: traceHeaders({ ...own, state: traceState?.serialize() }),
        note: (more) => void span.setAttributes(given(more)),
        failed: (type) => fail(span, type),
      };
      try {
        return await current.run(trace.setSpan(parent, span), () => work(call));
      } catch (error) {
        fail(span, error instanceof Error ? error.name : 'error');
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

function given(attributes: Attributes) {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | number | boolean | string[]>;
}

/** Sends a line of JSON, with the trace that it names. */
function emitLine(
  { ROOT_CONTEXT, SeverityNumber, TraceFlags, trace }: Packages['api'],
  logger: Logger,
  line: string,
): void {
  const { at, level, message, trace_id: traceId, span_id: spanId, ...attributes } = JSON.parse(line);
  const severities: Readonly<Record<string, number>> = {
    debug: SeverityNumber.DEBUG,
    info: SeverityNumber.INFO,
    warn: SeverityNumber.WARN,
    error: SeverityNumber.ERROR,
    fatal: SeverityNumber.FATAL,
  };
  logger.emit({
    timestamp: Date.parse(at),
    severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
    severityText: level,
    body: message,
    attributes,
    ...(traceId && {
      context: trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
    }),
  });
}
