import { BlockList, isIP } from 'node:net';

import { addNetwork, type EventsConfig } from '#server/config/events.ts';
import { isPublicAddress } from '#server/public-address.ts';

/** Returns which addresses webhooks may call: public ones, and private ones that the operator allows. */
export function allowedAddress(allowPrivate: EventsConfig['allowPrivate']): (address: string) => boolean {
  if (allowPrivate === true) return (address) => isIP(address) !== 0;
  if (allowPrivate === false) return isPublicAddress;
  const networks = new BlockList();
  for (const network of allowPrivate) addNetwork(networks, network);
  return (address) => {
    const family = isIP(address);
    return isPublicAddress(address) || (family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6'));
  };
}

/**
 * Whether events may be sent to an address. The names of hosts are looked up at every attempt, so only those are
 * rejected here that can never be allowed.
 */
export function isAllowedUrl(text: string, isAllowed: (address: string) => boolean): boolean {
  // WHATWG's parser removes these characters, so a reader sees another address than the program.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  if (
    url.username !== '' ||
    url.password !== '' ||
    text.includes('#') ||
    (text.includes('@', text.indexOf('//')) && url.host.includes('@'))
  )
    return false;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isAllowed(host);
  return !/(^|\.)localhost\.?$/i.test(host) || isAllowed('127.0.0.1');
}

/** Returns the name of the host, or its address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
