import { createHash } from 'node:crypto';

import type { S3Answer } from '#test/s3/exchange.ts';
import {
  encodeKey,
  presign,
  type Endpoint,
  type Presigned,
  type S3Request,
  type Wire,
} from '#test/s3/signed-request.ts';

/** The checked parts of a response. */
export interface Expected {
  /** One, or any of several when S3 itself differs. */
  readonly status: number | readonly number[];
  /** The `Code` of the error. The other elements of the error are checked too. */
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
  /** Replaces the signed request on the wire. */
  readonly sent?: (signed: Wire, endpoint: Endpoint) => Wire;
}

/**
 * One behaviour: requests of a new account, one after the other. A step can be a function of the responses so far.
 */
export interface Case {
  readonly name: string;
  readonly steps: ReadonlyArray<Step | ((answers: readonly S3Answer[]) => Step)>;
  /**
   * The keys in the private bucket before the case. Cases with the same keys share an account, and only read.
   */
  readonly keys?: readonly string[];
}

/** The ETag of a file that was uploaded in one request, with its quotes. */
export function etagOf(body: string | Buffer): string {
  return `"${md5(body).toString('hex')}"`;
}

export function md5(body: string | Buffer): Buffer {
  return createHash('md5').update(body).digest();
}

export function pathOf(key: string, bucket = 'private'): string {
  return `/${bucket}/${encodeKey(key)}`;
}

export function put(
  key: string,
  body: string | Buffer = 'content',
  headers: Readonly<Record<string, string>> = {},
  expected: Expected = { status: 200 },
): Step {
  return { request: { method: 'PUT', path: pathOf(key), body, headers }, expected };
}

export function get(key: string, headers: Readonly<Record<string, string>>, expected: Expected): Step {
  return { request: { path: pathOf(key), headers }, expected };
}

export function head(key: string, headers: Readonly<Record<string, string>>, expected: Expected): Step {
  return { request: { method: 'HEAD', path: pathOf(key), headers }, expected };
}

export function ask(
  method: string,
  path: string,
  query: Readonly<Record<string, string>>,
  expected: Expected,
  more: Partial<S3Request> = {},
): Step {
  return { request: { method, path, query, ...more }, expected };
}

export function listed(query: Readonly<Record<string, string>>, expected: Expected): Step {
  return ask('GET', '/private', query, expected);
}

/** Returns a step whose request has another header than was signed, or lacks one. */
export function withHeader(step: Step, name: string, value: string | undefined): Step {
  return {
    ...step,
    sent: (signed) => ({
      ...signed,
      headers: [
        ...signed.headers.filter(([own]) => own !== name),
        ...(value === undefined ? [] : [[name, value] as const]),
      ],
    }),
  };
}

/**
 * A request with a presigned address.
 *
 * @param asked the method of the request, when it is not the signed one
 */
export function byAddress(
  { body = '', method, ...signed }: Presigned & { readonly body?: string },
  expected: Expected,
  asked = method,
): Step {
  const request: S3Request = { method: asked ?? 'GET', path: signed.path };
  const sent = (_: Wire, endpoint: Endpoint): Wire => ({
    method: request.method!,
    target: presign(endpoint, { ...signed, ...(method !== undefined && { method }) }),
    headers: [
      ['host', new URL(endpoint.url).host],
      ...Object.entries(signed.headers ?? {}),
      ...(body === '' ? [] : [['content-length', String(Buffer.byteLength(body))] as const]),
    ],
    body: Buffer.from(body),
  });
  return { request, expected, sent };
}
