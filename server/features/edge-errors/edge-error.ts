/** The number of error responses of one kind in one second. */
export interface EdgeErrorCount {
  /** Milliseconds since the epoch, of the whole second. */
  readonly at: number;
  /** 400 to 599. */
  readonly status: number;
  readonly method: EdgeMethod;
  /** As {@link normalisePath} returns it. */
  readonly path: string;
  readonly count: number;
}

/**
 * The methods that are counted separately, each stored as its index here. All others are counted together, because
 * clients can send any text as a method.
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

/**
 * Stands for all paths of an application's day after the first thousand, and for paths that `NamedKinds` does not keep.
 */
export const otherPath = '__other__';

/** The precision of instants. The edge's logs mostly have seconds. */
export const edgeErrorPrecisionMs = 1000;

/** Returns the method as it is counted. */
export function edgeMethodOf(method: string): EdgeMethod {
  return (edgeMethods as readonly string[]).includes(method) ? (method as EdgeMethod) : 'OTHER';
}

export function isErrorStatus(status: number): boolean {
  return status >= 400 && status <= 599;
}
