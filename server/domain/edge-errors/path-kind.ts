import { edgeMethods, type EdgeMethod } from './edge-error.ts';

/** Errors of one path, method and status. */
export interface PathKind {
  readonly pathId: number;
  readonly method: EdgeMethod;
  readonly status: number;
}

/** Statuses that are errors, from 400 on. */
const statuses = 200;
const firstStatus = 400;

/**
 * The kind as one number, below 2^53 for path ids up to 4 × 10^12: a month can hold hundreds of thousands of them, and
 * a number is looked up several times as fast as anything else. These numbers are stored, so methods keep their places
 * in {@link edgeMethods}.
 */
export function packKind({ pathId, method, status }: PathKind): number {
  return (pathId * edgeMethods.length + edgeMethods.indexOf(method)) * statuses + status - firstStatus;
}

export function unpackKind(kind: number): PathKind {
  return { ...unpackPathMethod(pathMethodOfKind(kind)), status: statusOfKind(kind) };
}

/** Path and method of a packed kind, as one number that is lower for lower paths. */
export function pathMethodOfKind(kind: number): number {
  return Math.floor(kind / statuses);
}

export function unpackPathMethod(pathMethod: number): Omit<PathKind, 'status'> {
  return { pathId: Math.floor(pathMethod / edgeMethods.length), method: edgeMethods[pathMethod % edgeMethods.length]! };
}

/** The status of a packed kind, alone. */
export function statusOfKind(kind: number): number {
  return firstStatus + (kind % statuses);
}
