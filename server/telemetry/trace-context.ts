import type { IncomingHttpHeaders } from 'node:http';

/** The span that a request belongs to, as another program names it. */
interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  /** The `tracestate` header as it was received. */
  readonly state: string | undefined;
}

/** "version-format: trace-id "-" parent-id "-" trace-flags", all in lower case (W3C Trace Context, 3.2.2). */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** "Vendors MAY limit the size", and must pass on at least 512 characters (3.3.1.5). */
const maxStateLength = 512;

/**
 * Reads the trace context of a request. Returns undefined without a valid one.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export function readTraceContext(headers: IncomingHttpHeaders): RemoteSpan | undefined {
  const { traceparent: given } = headers;
  const text = typeof given === 'string' ? given : '';
  const [, traceId, spanId, flags, more] = traceparent.exec(text) ?? [];
  // "If a traceparent of version 00 has more than four fields, it is invalid."
  if (!traceId || !spanId || !flags || (more !== undefined && text.startsWith('00'))) return undefined;
  const { tracestate } = headers;
  const state = typeof tracestate === 'string' && tracestate.length <= maxStateLength ? tracestate : undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, state };
}

/** Returns the headers that pass a span on. */
export function traceHeaders({ traceId, spanId, traceFlags, state }: RemoteSpan): Record<string, string> {
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state && { tracestate: state }),
  };
}
