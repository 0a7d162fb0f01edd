import { mayPurgeKept } from '#server/domain/access/may-purge-kept.ts';
import { deleteS3Object } from '../../delete-s3-object.ts';
import { deleteS3Version } from '../../delete-s3-version.ts';
import { currentVersion } from '../../versions.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { addressOf, parameter } from '../request.ts';
import { writeConditions } from '../write-headers.ts';
import { requestedVersion, markerHeaders } from './find-object.ts';

/** Conditions that S3 has in directory buckets alone. Ignoring one could delete a file that was to be kept. */
const otherConditions = ['x-amz-if-match-last-modified-time', 'x-amz-if-match-size'];

/** DeleteObject. @throws NotImplemented for conditions on time and size */
export const deleteObject: S3Operation = async (context, request) => {
  const condition = otherConditions.find((name) => request.header(name) !== undefined);
  if (condition !== undefined)
    throw new S3Refusal('NotImplemented', {
      message: `This server does not have what ${condition} asks for. Send If-Match with an ETag.`,
      details: { Header: condition },
    });
  const { actor, ids, metadata } = context;
  const address = addressOf(context.caller, request);
  const conditions = writeConditions(request);
  const ofAccount = { account: address.accountId };
  const versionId = requestedVersion(parameter(request, 'versionId'));
  if (versionId !== undefined && versionId !== currentVersion) {
    const version = { ...address, versionId, conditions, actor, mayPurgeKept: mayPurgeKept(context.caller) };
    const deleted = await metadata.atomically((tx) => deleteS3Version(tx, ids, version), ofAccount);
    const headers = {
      'x-amz-version-id': versionId,
      ...(deleted?.kind === 'marker' && { 'x-amz-delete-marker': 'true' }),
    };
    return { status: 204, headers };
  }
  const kept = await metadata.atomically((tx) => deleteS3Object(tx, address, conditions, actor), ofAccount);
  return { status: 204, ...(kept && { headers: markerHeaders(kept) }) };
};
