import { dayMs } from '#server/domain/day.ts';

/**
 * The lifetime of both codes of device approval, and how often the client may ask. The interval grows each time it asks
 * too soon.
 *
 * @see RFC 8628, section 3.5
 */
export const deviceCodeLifetimeMs = 900_000;
export const devicePollIntervalMs = 5_000;
export const deviceSlowDownMs = 5_000;

/** The lifetime of a key that a person approved: 90 days. */
export const deviceKeyLifetimeMs = 90 * dayMs;

/** How long after the expiry of its code a client can still learn the outcome. */
export const endedCodesKeptMs = dayMs;

/** A sign-in at the approval page ends after this many wrong codes. */
export const maxWrongCodes = 5;
