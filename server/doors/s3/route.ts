import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { bucketRoutes } from './bucket-routes.ts';
import { multipartRoutes } from './multipart-routes.ts';
import { getAcl, putAcl } from './operations/acl.ts';
import { copyObject } from './operations/copy-object.ts';
import { deleteObject } from './operations/delete-object.ts';
import { deleteObjects } from './operations/delete-objects.ts';
import { getObject, headObject } from './operations/get-object.ts';
import { listBuckets } from './operations/list-buckets.ts';
import { listObjects, listObjectsV2, listObjectVersions } from './operations/list-objects.ts';
import { putObject } from './operations/put-object.ts';
import { deleteObjectTagging, getObjectTagging, noObjectLock, putObjectTagging } from './operations/tagging.ts';
import { notHere } from './not-here.ts';
import type { S3Request } from './request.ts';
import type { Route } from './route-row.ts';

/** Every operation there is. */
export const routes: readonly Route[] = [
  ...multipartRoutes,
  { name: 'ListBuckets', method: 'GET', on: 'service', needs: 'either', run: listBuckets },
  ...bucketRoutes,
  {
    name: 'ListObjectsV2',
    method: 'GET',
    on: 'bucket',
    query: { 'list-type': '2' },
    needs: 'read',
    run: listObjectsV2,
  },
  {
    name: 'ListObjectVersions',
    method: 'GET',
    on: 'bucket',
    query: { versions: true },
    needs: 'read',
    run: listObjectVersions,
  },
  { name: 'ListObjects', method: 'GET', on: 'bucket', needs: 'read', run: listObjects },
  { name: 'DeleteObjects', method: 'POST', on: 'bucket', query: { delete: true }, needs: 'write', run: deleteObjects },
  { name: 'CopyObject', method: 'PUT', on: 'object', header: 'x-amz-copy-source', needs: 'write', run: copyObject },
  { name: 'PutObject', method: 'PUT', on: 'object', needs: 'write', writesBytes: true, run: putObject },
  { name: 'GetObject', method: 'GET', on: 'object', needs: 'read', run: getObject },
  { name: 'HeadObject', method: 'HEAD', on: 'object', needs: 'read', run: headObject },
  { name: 'DeleteObject', method: 'DELETE', on: 'object', needs: 'write', run: deleteObject },
  { name: 'GetObjectAcl', method: 'GET', on: 'object', query: { acl: true }, needs: 'read', run: getAcl },
  { name: 'PutObjectAcl', method: 'PUT', on: 'object', query: { acl: true }, needs: 'write', run: putAcl },
  {
    name: 'GetObjectTagging',
    method: 'GET',
    on: 'object',
    query: { tagging: true },
    needs: 'read',
    run: getObjectTagging,
  },
  {
    name: 'PutObjectTagging',
    method: 'PUT',
    on: 'object',
    query: { tagging: true },
    needs: 'write',
    run: putObjectTagging,
  },
  {
    name: 'DeleteObjectTagging',
    method: 'DELETE',
    on: 'object',
    query: { tagging: true },
    needs: 'write',
    run: deleteObjectTagging,
  },
  {
    name: 'GetObjectRetention',
    method: 'GET',
    on: 'object',
    query: { retention: true },
    needs: 'read',
    run: noObjectLock,
  },
  {
    name: 'GetObjectLegalHold',
    method: 'GET',
    on: 'object',
    query: { 'legal-hold': true },
    needs: 'read',
    run: noObjectLock,
  },
  {
    name: 'PutObjectRetention',
    method: 'PUT',
    on: 'object',
    query: { retention: true },
    needs: 'write',
    run: noObjectLock,
  },
  {
    name: 'PutObjectLegalHold',
    method: 'PUT',
    on: 'object',
    query: { 'legal-hold': true },
    needs: 'write',
    run: noObjectLock,
  },
];

/**
 * Parameters that name another operation than the plain one; a request with one that no row has is refused and not
 * taken for it.
 */
const subresources = new Set(
  'accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle location logging metrics metadataTable notification object-lock ownershipControls policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention select session tagging torrent uploadId uploads versioning versions website append'.split(
    ' ',
  ),
);

/**
 * The operation that a request means.
 *
 * @throws NotImplemented for one that S3 has and this server does not, MethodNotAllowed, InvalidArgument
 */
export function routeOf(request: Pick<S3Request, 'method' | 'bucket' | 'key' | 'query' | 'header'>): Route {
  const on = request.bucket === undefined ? 'service' : request.key === undefined ? 'bucket' : 'object';
  if (on === 'object' && request.method === 'PUT') requireWholePart(request);
  const named = [...request.query.keys()].filter((name) => subresources.has(name));
  const row = routes.find(
    (route) =>
      route.method === request.method &&
      route.on === on &&
      fits(route, request) &&
      named.every((name) => route.query !== undefined && name in route.query),
  );
  if (row) return row;
  if (named.length > 0) throw notHere(named[0]!);
  throw new S3Refusal('MethodNotAllowed', { details: { Method: request.method, ResourceType: on.toUpperCase() } });
}

/** Half of what names a part would make a whole file of it. @throws InvalidArgument */
function requireWholePart({ query }: Pick<S3Request, 'query'>): void {
  const [missing, ...others] = ['partNumber', 'uploadId'].filter((name) => !query.has(name));
  if (missing !== undefined && others.length === 0)
    throw new S3Refusal('InvalidArgument', {
      message: `A part is named by partNumber and uploadId: ${missing} is missing.`,
      details: { ArgumentName: missing },
    });
}

function fits({ query = {}, header }: Route, request: Parameters<typeof routeOf>[0]): boolean {
  if (header !== undefined && request.header(header) === undefined) return false;
  return Object.entries(query).every(([name, wanted]) =>
    wanted === true ? request.query.has(name) : request.query.get(name)?.[0] === wanted,
  );
}
