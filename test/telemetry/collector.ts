import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** A value of an attribute, as OTLP writes it in JSON. */
interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly WireValue[] };
}

type WireAttributes = ReadonlyArray<{ readonly key: string; readonly value: WireValue }>;

/** A span that a collector received. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A log record that a collector received. */
export interface ReceivedRecord {
  readonly body: unknown;
  readonly severityText: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An OTLP/HTTP collector for JSON. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly records: readonly ReceivedRecord[];
  /** The attributes of the senders. */
  readonly resources: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** The `authorization` headers of the requests. */
  readonly credentials: readonly (string | undefined)[];
}

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: WireValue): unknown {
  if (arrayValue) return arrayValue.values.map(valueOf);
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}

const attributesOf = (attributes: WireAttributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

/** Starts a collector on a free port. It is closed when the test ends. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const records: ReceivedRecord[] = [];
  const resources: Array<Record<string, unknown>> = [];
  const credentials: Array<string | undefined> = [];
  const read: Readonly<Record<string, (body: any) => void>> = {
    '/v1/traces': ({ resourceSpans }) => {
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(attributesOf(resource.attributes));
        for (const scope of scopeSpans)
          for (const span of scope.spans) spans.push({ ...span, attributes: attributesOf(span.attributes) });
      }
    },
    '/v1/logs': ({ resourceLogs }) => {
      for (const { scopeLogs } of resourceLogs)
        for (const scope of scopeLogs)
          for (const record of scope.logRecords)
            records.push({ ...record, body: valueOf(record.body), attributes: attributesOf(record.attributes) });
    },
  };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    credentials.push(req.headers.authorization);
    read[req.url!]!(JSON.parse(Buffer.concat(chunks).toString()));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, records, resources, credentials };
}
