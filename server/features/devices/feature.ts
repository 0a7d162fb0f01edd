import { feature, ofAccount } from '#server/feature.ts';
import { deviceRequestsTable } from './tables/device-requests.ts';

/** Keys for devices and command lines that a person approves in a browser. */
export const devices = feature({
  name: 'devices',
  needs: [],
  tables: {
    deviceRequests: deviceRequestsTable,
  },
  accountRows: [['device_requests', 'device_hash', ofAccount]],
});
