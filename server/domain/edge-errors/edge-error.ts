/** Error responses of the edge that are alike, of one second. */
export interface EdgeErrorCount {
  /** Milliseconds since the epoch, of the whole second. */
  readonly at: number;
  /** 400 to 599. */
  readonly status: number;
  readonly method: EdgeMethod;
  /** As {@link normalisePath} answers it. */
  readonly path: string;
  readonly count: number;
}

/**
 * Methods that are told apart, each stored as its place here. Clients can make up any number of others, which are
 * counted together.
 */
export const edgeMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'OTHER',
] as const;

export type EdgeMethod = (typeof edgeMethods)[number];

/** What a day's paths beyond the first thousand of an application are counted under. */
export const otherPath = '__other__';

/** Finer than this nothing is counted: the edge's logs mostly say no more. */
export const edgeErrorPrecisionMs = 1000;

/** The method as it is counted. */
export function edgeMethodOf(method: string): EdgeMethod {
  return (edgeMethods as readonly string[]).includes(method) ? (method as EdgeMethod) : 'OTHER';
}

/** Whether a status is an error, and so is counted. */
export function isErrorStatus(status: number): boolean {
  return status >= 400 && status <= 599;
}
