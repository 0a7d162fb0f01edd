import type { ErrorCode } from '#generated/errors.ts';
import { deleteObjects } from './delete-objects.ts';
import { getObjectInfo } from './get-object-info.ts';
import { getPublicFile } from './get-public-file.ts';
import { getLiveness, getMetrics, getReadiness } from './health.ts';
import { listObjects } from './list-objects.ts';
import type { Provocation } from './provocation.ts';
import { unrouted } from './unrouted.ts';
import { uploadObject } from './upload-object.ts';

/** How each (operation, code) pair is provoked; `unrouted` stands for requests that reach no operation. */
export const pairs: Readonly<Record<string, Partial<Record<ErrorCode, Provocation>>>> = {
  uploadObject,
  listObjects,
  deleteObjects,
  getObjectInfo,
  getPublicFile,
  getLiveness,
  getReadiness,
  getMetrics,
  unrouted,
};
