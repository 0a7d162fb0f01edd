import type { ChatLease } from './chat-lease.ts';
import type { ChatQuota } from '../budgets/chat-quota.ts';
import type { ChatLimits } from './chat-refusal.ts';
import type { ChatLeaseRequest } from './chat-rejection.ts';
import type { ReservedChat, RejectedChat } from './decide-lease.ts';
import type { ChatCharge } from '../budgets/table.ts';

/**
 * Reservations for requests under way. Charges and reservations are compared with the limits in one step, so that
 * parallel requests never exceed a limit together.
 */
export interface ChatReservations {
  /** Whether other processes hold reservations too, so that one may end unseen. */
  readonly isShared: boolean;
  /**
   * Reserves the tokens of a request, in place of an earlier reservation with the same id.
   *
   * @param now in milliseconds since the epoch
   * @returns the lease, with as much output as fits; or the reason why the request does not fit, with nothing changed
   */
  reserve(request: ChatLeaseRequest, limits: ChatLimits, now: number): Promise<ReservedChat | RejectedChat>;
  /**
   * Charges the tokens and the cost of all rounds of a request to the day on which it began. Frees its reservation in
   * the same instant, so that other requests count it once. Resolves when the charge would survive a power cut. The
   * reservation is freed even if charging fails. An expired lease is charged too. A lease that was settled or released
   * before is not. The account is told of each budget of which the charge reaches 80 percent or all, in the transaction
   * of the charge.
   *
   * @param quota the one in force for the account
   */
  settle(lease: ChatLease, usage: ChatCharge, quota: ChatQuota): Promise<void>;
  /** Frees the reservation of a request without charging or counting it. May be called twice. */
  release(lease: ChatLease): Promise<void>;
}
