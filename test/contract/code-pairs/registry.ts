import type { ErrorCode } from '#generated/errors.ts';
import { copyObject } from './copy-object.ts';
import { deleteObjects } from './delete-objects.ts';
import { pollDeviceToken, requestDeviceCode, showActivationPage, submitActivation } from './device.ts';
import { getDownloadLink, openDownloadLink } from './download-links.ts';
import { getObjectInfo } from './get-object-info.ts';
import { getPublicFile } from './get-public-file.ts';
import { getSettings } from './get-settings.ts';
import { getStats } from './get-stats.ts';
import { getLiveness, getMetrics, getReadiness } from './health.ts';
import { createKey, listKeys, regenerateKey, revokeKey } from './keys.ts';
import { listActivity } from './list-activity.ts';
import { listObjects } from './list-objects.ts';
import type { Provocation } from './provocation.ts';
import { replaceSettings } from './replace-settings.ts';
import { unrouted } from './unrouted.ts';
import { updateObjects } from './update-objects.ts';
import { uploadObject } from './upload-object.ts';

/** How each (operation, code) pair is provoked; `unrouted` stands for requests that reach no operation. */
export const pairs: Readonly<Record<string, Partial<Record<ErrorCode, Provocation>>>> = {
  uploadObject,
  listObjects,
  deleteObjects,
  updateObjects,
  copyObject,
  getDownloadLink,
  openDownloadLink,
  getObjectInfo,
  getPublicFile,
  getSettings,
  replaceSettings,
  getStats,
  listKeys,
  createKey,
  revokeKey,
  regenerateKey,
  listActivity,
  requestDeviceCode,
  pollDeviceToken,
  showActivationPage,
  submitActivation,
  getLiveness,
  getReadiness,
  getMetrics,
  unrouted,
};
