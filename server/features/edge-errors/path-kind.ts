import { edgeMethods, type EdgeMethod } from './edge-error.ts';

/** A kind of errors: path, method and status. */
interface PathKind {
  readonly pathId: number;
  readonly method: EdgeMethod;
  readonly status: number;
}

/** The number of error statuses, from 400 on. */
const statuses = 200;
const firstStatus = 400;

/**
 * Packs a kind into one number below 2^53, for path ids up to 4 × 10^12. Numbers are looked up several times as fast
 * as anything else, and a month can have hundreds of thousands. They are stored, so methods keep their index in
 * {@link edgeMethods}.
 */
export function packKind({ pathId, method, status }: PathKind): number {
  return (pathId * edgeMethods.length + edgeMethods.indexOf(method)) * statuses + status - firstStatus;
}

export function unpackKind(kind: number): PathKind {
  return { ...unpackPathMethod(pathMethodOfKind(kind)), status: statusOfKind(kind) };
}

/** Returns path and method of a packed kind as one number, which is lower for lower path ids. */
export function pathMethodOfKind(kind: number): number {
  return Math.floor(kind / statuses);
}

export function unpackPathMethod(pathMethod: number): Omit<PathKind, 'status'> {
  return { pathId: Math.floor(pathMethod / edgeMethods.length), method: edgeMethods[pathMethod % edgeMethods.length]! };
}

export function statusOfKind(kind: number): number {
  return firstStatus + (kind % statuses);
}
