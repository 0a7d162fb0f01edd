import { forgetting } from '#server/domain/forgetting.ts';
import { deliveriesKnownMs } from './limits.ts';

/** Removes deliveries of git hosts that came more than 30 days ago. */
export const forgetDeliveries = forgetting<'gitDeliveries'>((tx, now, limit) =>
  tx.gitDeliveries.forgetBefore(now - deliveriesKnownMs, limit),
);
