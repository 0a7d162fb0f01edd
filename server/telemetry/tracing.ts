import type { IncomingHttpHeaders } from 'node:http';

/** Facts about a span. Never contents, secrets or addresses with a token. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The span of a request that the server handles. */
export interface ServedSpan {
  /** 32 and 16 hexadecimal digits, for the log. */
  readonly traceId: string;
  readonly spanId: string;
  /** Ends the span. */
  end(outcome: { readonly name: string; readonly attributes: Attributes; readonly isFailed: boolean }): void;
}

/** The span of a call that the server makes. */
export interface CallSpan {
  /**
   * The headers that pass the trace on: `traceparent`, and `tracestate` if there is one. Empty if nothing is traced.
   */
  readonly headers: Readonly<Record<string, string>>;
  note(attributes: Attributes): void;
  /** Marks the call as failed. `type` is a short code, never a message. */
  failed(type: string): void;
}

/** Traces requests and calls. */
export interface Tracing {
  /** Runs the handling of a request as a span of the caller's trace, or of a new one. */
  serve(headers: IncomingHttpHeaders, method: string, handle: (span: ServedSpan) => void): void;
  /**
   * Runs a call as a span. In a request it is a child of the request's span.
   *
   * @throws the errors of `work`, which mark the span as failed
   */
  call<T>(name: string, attributes: Attributes, work: (span: CallSpan) => Promise<T>): Promise<T>;
}

/** The part that makes calls. */
export type CallTracing = Pick<Tracing, 'call'>;

/** The span of a call that is not traced. */
export const noSpan: CallSpan = { headers: {}, note() {}, failed() {} };

/** Returns a span whose headers also have the id of the request that the call belongs to. */
export function withRequestId(span: CallSpan, requestId: string | undefined): CallSpan {
  return requestId === undefined ? span : { ...span, headers: { ...span.headers, 'x-request-id': requestId } };
}

/** Traces nothing. */
export const untraced: CallTracing = { call: (_name, _attributes, work) => work(noSpan) };
