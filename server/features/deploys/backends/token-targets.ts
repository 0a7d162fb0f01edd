import { allowedAddress, isAllowedUrl } from '#server/backends/outbound/allowed-address.ts';
import type { EventsConfig } from '#server/config/events.ts';

/** Where tokens of accounts may be sent. */
export interface TokenTargets {
  isAllowedOrigin(text: string): boolean;
  isAllowedAddress(address: string, url: URL): boolean;
}

/**
 * Returns where tokens may be sent: over `https`, or over `http` to private addresses that the operator allows. So no
 * token crosses the internet in plain text. Names of hosts are looked up at every attempt.
 */
export function tokenTargets(allowPrivate: EventsConfig['allowPrivate']): TokenTargets {
  const isAllowed = allowedAddress(allowPrivate);
  const isPublic = allowedAddress(false);
  const isAllowedPlainly = (address: string) => isAllowed(address) && !isPublic(address);
  const rule = ({ protocol }: URL) => (protocol === 'https:' ? isAllowed : isAllowedPlainly);
  return {
    isAllowedOrigin(text) {
      const url = URL.parse(text);
      if (url?.origin !== text || !isAllowedUrl(text, rule(url))) return false;
      return url.protocol === 'https:' || allowPrivate !== false;
    },
    isAllowedAddress: (address, url) => rule(url)(address),
  };
}
