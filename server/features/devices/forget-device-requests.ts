import { forgetting } from '#server/domain/forgetting.ts';
import { endedCodesKeptMs } from './limits.ts';

/** Removes requests for keys a day after they expired. */
export const forgetDeviceRequests = forgetting<'deviceRequests'>((tx, now, limit) =>
  tx.deviceRequests.forgetBefore(now - endedCodesKeptMs, limit),
);
