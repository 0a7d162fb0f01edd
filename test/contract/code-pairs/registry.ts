import type { ErrorCode } from '#generated/errors.ts';
import { createChatCompletion, getChatUsage, listModels } from './chat.ts';
import {
  abortChunkedUpload,
  completeChunkedUpload,
  getChunkedUpload,
  listChunkedUploads,
  putChunkedPart,
  startChunkedUpload,
} from './chunked.ts';
import { copyObject } from './copy-object.ts';
import { createUploadToken } from './create-upload-token.ts';
import { deleteObjects } from './delete-objects.ts';
import { getCurrentDeployment, listDeployments, receiveGitPush, setGitWebhook } from './deploys.ts';
import { pollDeviceToken, requestDeviceCode, showActivationPage, submitActivation } from './device.ts';
import { getDownloadLink, openDownloadLink } from './download-links.ts';
import { getObjectInfo } from './get-object-info.ts';
import { getNetworkErrors } from './get-network-errors.ts';
import { getPublicFile } from './get-public-file.ts';
import { getSettings } from './get-settings.ts';
import { getStats } from './get-stats.ts';
import { getLiveness, getMetrics, getReadiness } from './health.ts';
import { createKey, listKeys, regenerateKey, revokeKey } from './keys.ts';
import { listActivity } from './list-activity.ts';
import { listObjects } from './list-objects.ts';
import type { Provocation } from './provocation.ts';
import { replaceSettings } from './replace-settings.ts';
import { getS3Credentials } from './s3-credentials.ts';
import { createShare, deleteShare, listShares, openShare, submitSharePassword } from './shares.ts';
import { unrouted } from './unrouted.ts';
import { updateObjects } from './update-objects.ts';
import { uploadObject } from './upload-object.ts';
import { uploadTokenNotAllowed } from './upload-token-not-allowed.ts';

type Pairs = Readonly<Record<string, Partial<Record<ErrorCode, Provocation>>>>;

/** What is provoked in a way of its own. */
const own: Pairs = {
  uploadObject,
  listObjects,
  deleteObjects,
  updateObjects,
  copyObject,
  startChunkedUpload,
  putChunkedPart,
  completeChunkedUpload,
  abortChunkedUpload,
  getChunkedUpload,
  listChunkedUploads,
  createUploadToken,
  createShare,
  listShares,
  deleteShare,
  openShare,
  submitSharePassword,
  getDownloadLink,
  openDownloadLink,
  getObjectInfo,
  getPublicFile,
  getNetworkErrors,
  setGitWebhook,
  getCurrentDeployment,
  listDeployments,
  receiveGitPush,
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
  getS3Credentials,
  createChatCompletion,
  listModels,
  getChatUsage,
  getLiveness,
  getReadiness,
  getMetrics,
  unrouted,
};

/** How each (operation, code) pair is provoked; `unrouted` stands for requests that reach no operation. */
export const pairs: Pairs = Object.fromEntries(
  Object.entries(own).map(([operation, provocations]) => [
    operation,
    { ...provocations, ...uploadTokenNotAllowed(operation) },
  ]),
);
