import { deleteS3Object } from '#server/domain/s3/delete-s3-object.ts';
import { unconditional } from '#server/domain/s3/write-conditions.ts';
import type { S3Operation } from '../context.ts';
import { spaceOf } from '../request.ts';
import { etagList } from '../write-headers.ts';
import { refuseVersion } from './get-object.ts';

/** DeleteObject. */
export const deleteObject: S3Operation = async (context, request) => {
  refuseVersion(request);
  const address = { accountId: context.caller.account.id, space: spaceOf(request.bucket), key: request.key! };
  await deleteS3Object(context, address, { ...unconditional, ifMatch: etagList(request.header('if-match')) }, context.actor);
  return { status: 204 };
};
