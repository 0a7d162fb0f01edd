import type { DeviceDecision, DeviceRequest } from './device-request.ts';

/** How a question for the key came. */
export type PollPace = 'in-time' | 'too-soon';

export interface DeviceRequestsTable {
  /** Answers whether it is kept; not when the user code is another request's. */
  add(
    request: DeviceRequest,
    hashes: { readonly deviceCode: Uint8Array; readonly userCode: Uint8Array; readonly intervalMs: number },
  ): Promise<boolean>;
  findByDeviceCode(hash: Uint8Array): Promise<DeviceRequest | undefined>;
  /** Only one that waits for a decision at `now`. */
  findPending(userCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined>;
  /** Decides one that waits at `now`, and answers it; `undefined` when none does, so that each is decided once. */
  decide(
    userCodeHash: Uint8Array,
    event: 'approve' | 'refuse',
    decision: DeviceDecision,
    now: number,
  ): Promise<DeviceRequest | undefined>;
  /** Takes the approval that is there at `now`; `undefined` when there is none, so that each is taken once. */
  spend(deviceCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined>;
  /** Notes that the client asked. When it came before its interval was over, that grows by `slowDownMs`. */
  notePoll(deviceCodeHash: Uint8Array, now: number, slowDownMs: number): Promise<PollPace>;
  /** Removes up to `limit` of those that ended before `at`, and answers how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Tables {
    readonly deviceRequests: DeviceRequestsTable;
  }
}
