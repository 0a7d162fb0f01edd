import type { Reader } from './values.ts';

/** Where traces or logs are sent. */
interface Destination {
  readonly url: string;
  /** May contain a secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The settings of OpenTelemetry. */
export interface TelemetryConfig {
  readonly traces: Destination | undefined;
  readonly logs: Destination | undefined;
  readonly serviceName: string;
  /** Further attributes of this server. */
  readonly resource: Readonly<Record<string, string>>;
  /** From 0 to 1. The share of new traces that is recorded. A caller's own decision wins. */
  readonly sampledShare: number;
  /** Pause between two exports. */
  readonly delayMs: number;
}

/**
 * Reads the standard variables of OpenTelemetry that Cubby supports. Without an endpoint nothing is traced.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function telemetryConfig(reader: Reader): TelemetryConfig | undefined {
  if (reader.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const [traces, logs] = [destinationOf(reader, 'TRACES'), destinationOf(reader, 'LOGS')];
  if (!traces && !logs) return undefined;
  return {
    traces,
    logs,
    serviceName: reader.text('OTEL_SERVICE_NAME') ?? 'cubby',
    resource: pairsOf(reader, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampledShare: sampledShare(reader),
    delayMs: reader.parsed('OTEL_BSP_SCHEDULE_DELAY', 5_000, 'a whole number of milliseconds', (value) =>
      /^\d{1,8}$/.test(value) ? Number(value) : undefined,
    ),
  };
}

function destinationOf(reader: Reader, signal: 'TRACES' | 'LOGS'): Destination | undefined {
  const exporter = reader.text(`OTEL_${signal}_EXPORTER`) ?? 'otlp';
  if (exporter === 'none') return undefined;
  const own = reader.text(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
  const common = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  // "the OTEL_EXPORTER_OTLP_ENDPOINT … base URL": the path of the signal is added only to this one.
  const url = own ?? (common && `${common.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`);
  if (url === undefined) return undefined;
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
  if (exporter !== 'otlp')
    reader.refuse(
      `OTEL_${signal}_EXPORTER`,
      `OTEL_${signal}_EXPORTER must be otlp or none. Cubby has no other exporter.`,
    );
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    reader.refuse(name, `${name} must be an http or https URL, such as http://localhost:4318.`);
  requireJson(reader, signal);
  const headers = {
    ...pairsOf(reader, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...pairsOf(reader, `OTEL_EXPORTER_OTLP_${signal}_HEADERS`),
  };
  return { url, headers };
}

function requireJson(reader: Reader, signal: string): void {
  for (const name of [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const protocol = reader.text(name);
    if (protocol === undefined || protocol === 'http/json') continue;
    if (reader.isRefused(name)) continue;
    reader.refuse(name, `${name} must be http/json. Collectors take it at the same port as http/protobuf, 4318.`);
  }
}

/** Reads pairs as in "a=1,b=2". Values are percent-encoded. */
function pairsOf(reader: Reader, name: string): Record<string, string> {
  const pairs = reader.list(name).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()] as const;
  });
  try {
    if (pairs.every(([key]) => key !== ''))
      return Object.fromEntries(pairs.map(([key, value]) => [key, decodeURIComponent(value)]));
  } catch {
    // Reported below. The value may contain a secret, so it is not shown.
  }
  reader.refuse(name, `${name} must be pairs such as a=1,b=2, whose values are percent-encoded.`);
  return {};
}

/** Only samplers that respect the caller's decision make sense here, so both forms of a name mean the same. */
function sampledShare(reader: Reader): number {
  const sampler = reader.parsed(
    'OTEL_TRACES_SAMPLER',
    'always_on',
    'always_on, always_off or traceidratio, or one of them behind parentbased_',
    (value) => /^(?:parentbased_)?(always_on|always_off|traceidratio)$/.exec(value)?.[1],
  );
  if (sampler !== 'traceidratio') return sampler === 'always_off' ? 0 : 1;
  return reader.parsed('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', (value) =>
    /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? Number(value) : undefined,
  );
}
