import { feature, ofAccount } from '#server/feature.ts';
import { forgetDeviceRequests } from './forget-device-requests.ts';
import { oauthErrors } from './handlers/oauth-errors.ts';
import { deviceRequestsTable } from './tables/device-requests.ts';

/** Keys for devices and command lines that a person approves in a browser. */
export const devices = feature({
  name: 'devices',
  needs: [],
  errorForms: [oauthErrors],
  schema: ['devices'],
  tables: {
    deviceRequests: deviceRequestsTable,
  },
  accountRows: [['device_requests', 'device_hash', ofAccount]],
  // A wrong clock removes only codes, which people can request again.
  jobs: {
    'forget-codes': { stage: 'rows', trustsClock: false, run: forgetDeviceRequests },
  },
  serve: () => import('./serve.ts'),
});
