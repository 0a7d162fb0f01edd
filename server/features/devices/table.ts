import type { DeviceDecision, DeviceRequest } from './device-request.ts';

/** Whether a client kept its interval. */
type PollPace = 'in-time' | 'too-soon';

export interface DeviceRequestsTable {
  /** Adds a request. Returns false, and changes nothing, when another request has this user code. */
  add(
    request: DeviceRequest,
    hashes: { readonly deviceCode: Uint8Array; readonly userCode: Uint8Array; readonly intervalMs: number },
  ): Promise<boolean>;
  findByDeviceCode(hash: Uint8Array): Promise<DeviceRequest | undefined>;
  /** Finds a request that is pending at `now`. */
  findPending(userCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined>;
  /**
   * Decides a request that is pending at `now`, and returns it. Returns undefined without one, so that each is decided
   * once.
   */
  decide(
    userCodeHash: Uint8Array,
    event: 'approve' | 'refuse',
    decision: DeviceDecision,
    now: number,
  ): Promise<DeviceRequest | undefined>;
  /** Takes an approval that is valid at `now`. Returns undefined without one, so that each is taken once. */
  spend(deviceCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined>;
  /** Notes that the client polled. If its interval has not passed, the interval grows by `slowDownMs`. */
  notePoll(deviceCodeHash: Uint8Array, now: number, slowDownMs: number): Promise<PollPace>;
  /** Removes up to `limit` requests that expired by `at`. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Tables {
    readonly deviceRequests: DeviceRequestsTable;
  }
}
