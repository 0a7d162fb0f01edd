import { createHash } from 'node:crypto';

import type { S3Answer } from '#test/s3/exchange.ts';
import { encodeKey, type S3Request } from '#test/s3/signed-request.ts';

/** What an answer must be; what is not named may be anything. */
export interface Expected {
  /** One, or any of several where S3 itself differs from place to place. */
  readonly status: number | readonly number[];
  /** The `Code` of the error; the error's whole shape is checked with it. */
  readonly code?: string | RegExp;
  /** `null`: the header must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  readonly body?: string;
  /** The texts of all elements of a name, in order. */
  readonly texts?: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

export interface Step {
  readonly request: S3Request;
  readonly expected: Expected;
}

/** One behaviour: requests of an account that has nothing else, one after the other. A step can be made of the answers so far. */
export interface Case {
  readonly name: string;
  readonly steps: ReadonlyArray<Step | ((answers: readonly S3Answer[]) => Step)>;
}

/** The ETag of a file that came in one request, with its quotes. */
export function etagOf(body: string | Buffer): string {
  return `"${md5(body).toString('hex')}"`;
}

export function md5(body: string | Buffer): Buffer {
  return createHash('md5').update(body).digest();
}

export function pathOf(key: string, bucket = 'private'): string {
  return `/${bucket}/${encodeKey(key)}`;
}

export function put(key: string, body: string | Buffer = 'content', headers: Readonly<Record<string, string>> = {}, expected: Expected = { status: 200 }): Step {
  return { request: { method: 'PUT', path: pathOf(key), body, headers }, expected };
}

export function get(key: string, headers: Readonly<Record<string, string>>, expected: Expected): Step {
  return { request: { path: pathOf(key), headers }, expected };
}

export function head(key: string, headers: Readonly<Record<string, string>>, expected: Expected): Step {
  return { request: { method: 'HEAD', path: pathOf(key), headers }, expected };
}

export function ask(method: string, path: string, query: Readonly<Record<string, string>>, expected: Expected, more: Partial<S3Request> = {}): Step {
  return { request: { method, path, query, ...more }, expected };
}

export function listed(query: Readonly<Record<string, string>>, expected: Expected): Step {
  return ask('GET', '/private', query, expected);
}
