import type { Scope } from '../access/scope.ts';
import type { Actor } from '../activity/activity.ts';

/** What can become of a request for a key. */
export const deviceStates = ['pending', 'approved', 'refused', 'spent', 'expired'] as const;

export type DeviceState = (typeof deviceStates)[number];

/** What happens to it: a person decides, the client fetches its key, or its time runs out. */
export type DeviceEvent = 'approve' | 'refuse' | 'fetch' | 'expire';

/** What an event leads to; what is not listed cannot happen and changes nothing. */
export const deviceTransitions: Readonly<Record<DeviceState, { readonly [event in DeviceEvent]?: DeviceState }>> = {
  pending: { approve: 'approved', refuse: 'refused', expire: 'expired' },
  approved: { fetch: 'spent', expire: 'expired' },
  refused: {},
  spent: {},
  expired: {},
};

/** The state from which an event leads elsewhere. */
export function stateBefore(event: Exclude<DeviceEvent, 'expire'>): DeviceState {
  return deviceStates.find((state) => deviceTransitions[state][event])!;
}

/** Who decided, and with which key: the key that is made stands and falls with that one. */
export interface DeviceDecision {
  readonly accountId: string;
  readonly keyId: string;
  readonly actor: Actor;
}

/**
 * A client's request for a key of its own. Its two codes are no part of it: they are kept only as keyed hashes.
 * Instants are milliseconds since the epoch.
 * @see RFC 8628
 */
export interface DeviceRequest {
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  /** Where it was asked from. */
  readonly sourceIp: string;
  /** As it is kept; that its time ran out is not written down: see {@link stateAt}. */
  readonly state: Exclude<DeviceState, 'expired'>;
  readonly decision: DeviceDecision | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The state at an instant. */
export function stateAt({ state, expiresAt }: Pick<DeviceRequest, 'state' | 'expiresAt'>, now: number): DeviceState {
  return now < expiresAt ? state : (deviceTransitions[state].expire ?? state);
}
