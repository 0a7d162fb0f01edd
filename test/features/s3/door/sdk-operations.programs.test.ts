import * as sdk from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';

import { S3Refusal } from '#server/features/s3/s3-refusal.ts';
import type { S3Request } from '#server/features/s3/door/request.ts';
import { routeOf, s3Operations } from '#server/features/s3/door/routes.ts';
import { parseQuery } from '#server/http/query.ts';
import { describeWith } from '#test/support/describe-with.ts';

/** An operation of S3, as the SDK for JavaScript describes it. */
interface Described {
  readonly name: string;
  readonly method: string;
  /** `/` or `/{Key+}`, with the parameters that name the operation. */
  readonly path: string;
  readonly hasBucket: boolean;
  readonly parameters: readonly string[];
}

type Schema = readonly [kind: number, namespace: string, name: string, traits: any, ...rest: any[]];

/** Reads all operations from the schemas of the SDK. */
function describedOperations(): Described[] {
  const schemas = Object.values(sdk).filter((value): value is any => Array.isArray(value)) as Schema[];
  return schemas
    .filter(([kind]) => kind === 9)
    .map(([, , name, { http }, given]) => {
      const [, , , , members = [], types = []] = typeof given === 'function' ? given() : given;
      const parameters = types.flatMap((type: any) => (Array.isArray(type) && type[1]?.httpQuery) ?? []);
      return {
        name,
        method: http[0],
        path: http[1],
        hasBucket: members.includes('Bucket'),
        parameters: parameters.filter((one: unknown) => typeof one === 'string'),
      };
    });
}

function requestOf({ method, path, hasBucket, name }: Described, more = ''): S3Request {
  const copies = ['CopyObject', 'UploadPartCopy'].includes(name);
  return {
    method,
    bucket: hasBucket ? 'private' : undefined,
    key: path.includes('{Key+}') ? 'a' : undefined,
    query: parseQuery(path + (more && `${path.includes('?') ? '&' : '?'}${more}`)),
    header: (header: string) => (copies && header === 'x-amz-copy-source' ? '/private/b' : undefined),
  } as unknown as S3Request;
}

/** The name of the operation that a request gets, or the refusal. */
function meant(request: S3Request): { readonly name: string; readonly words?: string | undefined } {
  try {
    return { name: routeOf(request).name };
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw error;
    return { name: error.code, words: error.ownMessage };
  }
}

/** Operations that other hosts of S3 have, at addresses that mean something else here. */
const elsewhere: Readonly<Record<string, string>> = {
  ListDirectoryBuckets: 'ListBuckets',
  WriteGetObjectResponse: 'MethodNotAllowed',
};

describeWith('@aws-sdk/client-s3')('the operations of S3 that the SDK knows', () => {
  const described = describedOperations();

  test('are all read from its schemas', () => {
    expect(described.length).toBeGreaterThan(100);
    expect(described.map(({ name }) => name)).toEqual(expect.arrayContaining(['PutObject', 'ListObjectsV2']));
    expect(described.find(({ name }) => name === 'GetObject')?.parameters).toContain('versionId');
  });

  const served = new Map(s3Operations.map((route) => [route.name, route]));

  test.each(described.map((one) => [one.name, one] as const))(
    '%s is served, or refused in a sentence of its own',
    (name, operation) => {
      const part = ['uploadId', 'partNumber'].filter((one) => operation.parameters.includes(one));
      const needed = name === 'GetObject' || name === 'HeadObject' ? [] : part;
      const { name: got, words } = meant(requestOf(operation, needed.map((one) => `${one}=1`).join('&')));
      if (served.has(name)) expect(got).toBe(name);
      else if (name in elsewhere) expect(got).toBe(elsewhere[name]);
      else {
        expect(got, 'Decide what this operation is: a row in routes.ts, or a sentence in not-implemented.ts.').toBe(
          'NotImplemented',
        );
        expect(words).toMatch(/\. \w|^\w+ \w+ .*\.$/);
      }
    },
  );

  test.each(described.filter(({ name }) => served.has(name)).map((one) => [one.name, one.parameters] as const))(
    '%s takes all of its parameters',
    (name, parameters) => expect([...served.get(name)!.known]).toEqual(expect.arrayContaining([...parameters])),
  );
});
