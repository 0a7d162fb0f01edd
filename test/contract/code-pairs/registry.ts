import type { ErrorCode } from '#generated/errors.ts';
import { accountSuspended } from './account-suspended.ts';
import * as chat from './chat.ts';
import * as chunked from './chunked.ts';
import * as copyObject from './copy-object.ts';
import * as createUploadToken from './create-upload-token.ts';
import { csrfTokenInvalid } from './csrf-token-invalid.ts';
import * as deleteObjects from './delete-objects.ts';
import * as deploys from './deploys.ts';
import * as device from './device.ts';
import * as downloadLinks from './download-links.ts';
import * as getImageKey from './get-image-key.ts';
import * as fileRequests from './file-requests.ts';
import * as folders from './folders.ts';
import * as getNetworkErrors from './get-network-errors.ts';
import * as getObjectInfo from './get-object-info.ts';
import * as getPublicFile from './get-public-file.ts';
import * as getSettings from './get-settings.ts';
import * as getStats from './get-stats.ts';
import * as getUsageHistory from './get-usage-history.ts';
import * as health from './health.ts';
import * as keys from './keys.ts';
import * as listActivity from './list-activity.ts';
import * as getEvent from './get-event.ts';
import * as listEvents from './list-events.ts';
import * as listObjects from './list-objects.ts';
import { operatorPairs } from './operator.ts';
import type { Provocation } from './provocation.ts';
import * as receipts from './receipts.ts';
import * as replaceSettings from './replace-settings.ts';
import * as s3Credentials from './s3-credentials.ts';
import * as sentUploads from './sent-uploads.ts';
import { serverOverloaded } from './server-overloaded.ts';
import * as sessions from './sessions.ts';
import * as shares from './shares.ts';
import * as trash from './trash.ts';
import { storageUnavailable } from './storage-unavailable.ts';
import * as unrouted from './unrouted.ts';
import * as updateObjects from './update-objects.ts';
import * as uploadObject from './upload-object.ts';
import * as webhooks from './webhooks.ts';
import * as uploads from './uploads.ts';
import { writeConditions } from './write-conditions.ts';
import { uploadTokenNotAllowed } from './upload-token-not-allowed.ts';

type Pairs = Readonly<Record<string, Partial<Record<ErrorCode, Provocation>>>>;

/** Operations with provocations of their own. Each export of these modules is named as its operation. */
const own: Pairs = {
  ...chat,
  ...chunked,
  ...copyObject,
  ...createUploadToken,
  ...deleteObjects,
  ...deploys,
  ...device,
  ...downloadLinks,
  ...getImageKey,
  ...fileRequests,
  ...sentUploads,
  ...folders,
  ...getNetworkErrors,
  ...getObjectInfo,
  ...getPublicFile,
  ...getSettings,
  ...getStats,
  ...getUsageHistory,
  ...health,
  ...keys,
  ...listActivity,
  ...getEvent,
  ...listEvents,
  ...listObjects,
  ...operatorPairs,
  ...receipts,
  ...replaceSettings,
  ...s3Credentials,
  ...sessions,
  ...shares,
  ...trash,
  ...unrouted,
  ...updateObjects,
  ...uploadObject,
  ...webhooks,
  ...uploads,
};

/** The provocation of each (operation, code) pair. `unrouted` is for requests that reach no operation. */
export const pairs: Pairs = Object.fromEntries(
  Object.entries(own).map(([operation, provocations]) => [
    operation,
    {
      ...storageUnavailable(operation),
      ...serverOverloaded(operation),
      ...accountSuspended(operation),
      ...csrfTokenInvalid(operation),
      ...writeConditions(operation),
      ...provocations,
      ...uploadTokenNotAllowed(operation),
    },
  ]),
);
