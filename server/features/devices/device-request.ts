import type { Scope } from '#server/domain/access/scope.ts';
import type { Actor } from '#server/domain/activity/activity.ts';

/** The states of a request for a key. */
export const deviceStates = ['pending', 'approved', 'refused', 'spent', 'expired'] as const;

export type DeviceState = (typeof deviceStates)[number];

/** The events of a request: a person decides, the client fetches its key, or its time ends. */
export type DeviceEvent = 'approve' | 'refuse' | 'fetch' | 'expire';

/** The state after each event. An event that is not listed changes nothing. */
export const deviceTransitions: Readonly<Record<DeviceState, { readonly [event in DeviceEvent]?: DeviceState }>> = {
  pending: { approve: 'approved', refuse: 'refused', expire: 'expired' },
  approved: { fetch: 'spent', expire: 'expired' },
  refused: {},
  spent: {},
  expired: {},
};

/** Returns the state in which an event can happen. */
export function stateBefore(event: Exclude<DeviceEvent, 'expire'>): DeviceState {
  return deviceStates.find((state) => deviceTransitions[state][event])!;
}

/**
 * The person who decided, and the key they signed in with. If that key ends before the client fetches its own, the
 * approval is void.
 */
export interface DeviceDecision {
  readonly accountId: string;
  readonly keyId: string;
  readonly actor: Actor;
}

/**
 * A client's request for a key of its own, without its two codes: only their keyed hashes are stored. Instants are
 * milliseconds since the epoch.
 * @see RFC 8628
 */
export interface DeviceRequest {
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  /** The client's address. */
  readonly sourceIp: string;
  /** As it is stored. Expiry is not stored: see {@link stateAt}. */
  readonly state: Exclude<DeviceState, 'expired'>;
  readonly decision: DeviceDecision | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function stateAt({ state, expiresAt }: Pick<DeviceRequest, 'state' | 'expiresAt'>, now: number): DeviceState {
  return now < expiresAt ? state : (deviceTransitions[state].expire ?? state);
}
