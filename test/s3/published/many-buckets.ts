import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

import { spaces, type Space } from '#server/domain/object-id.ts';
import { buckets, targetOf } from '#server/features/s3/door/request.ts';

/**
 * Published suites create a bucket for each case, and the gateway has three. For these suites, each created bucket
 * becomes a space of its own. Only the tables of buckets and spaces grow. Operations, signatures and stores are real.
 */
const made = buckets as Map<string, Space>;
const rows = spaces as unknown as string[];
const fixed = [...buckets.keys()];

/** Removes the database's check for three spaces. Call it between two starts of a server. */
export function allowManySpaces(file: string): void {
  const db = new DatabaseSync(file, { defensive: false } as object);
  db.exec(
    `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(replace(sql, 'CHECK (space IN (0, 1, ` +
      `2))', ''), 'CHECK (space IN (0, 1))', ''); PRAGMA writable_schema = RESET;`,
  );
  db.close();
}

/**
 * Handles the requests that create and remove buckets, and passes all others to the gateway.
 *
 * @param s3Host the gateway's host name, without a port
 * @param isEmpty whether a bucket has no file
 */
export function withBuckets(
  real: RequestListener,
  s3Host: string,
  isEmpty: (space: Space) => Promise<boolean>,
): RequestListener {
  return (req, res) => {
    if (req.method === 'POST' && req.url === '/moto-api/reset') return void answer(req, res, 200, undefined, forgetAll);
    // One suite tags each bucket that it creates, and never reads the tags.
    if (req.method === 'PUT' && /^\/[^/?]+\/?\?tagging$/.test(req.url ?? ''))
      return void answer(req, res, 204, undefined);
    const target = hasQuery(req) ? undefined : bucketTarget(req, s3Host);
    if (target !== undefined && req.method === 'PUT' && isName(target) && !made.has(target))
      return void answer(req, res, 200, undefined, () => make(target));
    if (target !== undefined && req.method === 'DELETE' && made.has(target) && !fixed.includes(target))
      return void remove(req, res, target, isEmpty);
    return real(req, res);
  };
}

function hasQuery({ url = '' }: IncomingMessage): boolean {
  return /\?.*(?:^|[?&])(?!x-id=|X-Amz-)[^&]/.test(url);
}

function bucketTarget(req: IncomingMessage, s3Host: string): string | undefined {
  const signed = req.headers.authorization !== undefined || /[?&](X-Amz-Signature|Signature)=/.test(req.url ?? '');
  if (!signed) return undefined;
  try {
    const { bucket, key } = targetOf(req.url ?? '/', req.headers.host, s3Host);
    return key === undefined ? bucket : undefined;
  } catch {
    return undefined;
  }
}

function isName(name: string): boolean {
  return /^(?!\d+\.\d+\.\d+\.\d+$)(?!xn--)[a-z0-9](?!.*\.\.)[a-z0-9._-]{1,61}[a-z0-9]$/.test(name);
}

/** Uses a new space each time, so that a bucket that is created again is empty. */
function make(name: string): void {
  const before = rows.indexOf(name);
  if (before !== -1) rows[before] = `${name} (${before})`;
  rows.push(name);
  made.set(name, name as Space);
}

function forgetAll(): void {
  for (const name of [...made.keys()]) if (!fixed.includes(name)) made.delete(name);
}

async function remove(
  req: IncomingMessage,
  res: ServerResponse,
  name: string,
  isEmpty: (space: Space) => Promise<boolean>,
): Promise<void> {
  if (!(await isEmpty(made.get(name)!)))
    return answer(
      req,
      res,
      409,
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>BucketNotEmpty</Code><Message>The bucket has ' +
        'files.</Message></Error>',
    );
  answer(req, res, 204, undefined, () => made.delete(name));
}

function answer(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  xml: string | undefined,
  act: () => void = () => {},
): void {
  req.resume().once('end', () => {
    act();
    res.writeHead(status, {
      'Content-Type': 'application/xml',
      Location: req.url ?? '/',
      'x-amz-request-id': 'made-for-the-suite',
    });
    res.end(xml ?? '');
  });
}
