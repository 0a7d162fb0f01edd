import { BlockList, isIP } from 'node:net';

import { wholeNumber, type Reader } from './values.ts';

export interface EventsConfig {
  /** For so many days events are kept. */
  readonly keptDays: number;
  /** The private networks that webhooks may name: all, none, or those of a list. */
  readonly allowPrivate: boolean | readonly string[];
}

export function eventsConfig(reader: Reader): EventsConfig {
  const days = { standard: 30, least: 1, most: 365, noun: 'a whole number of days' };
  return { keptDays: wholeNumber(reader, 'CUBBY_EVENTS_DAYS', days), allowPrivate: allowPrivate(reader) };
}

function allowPrivate(reader: Reader): boolean | readonly string[] {
  const allowed = 'on, off, or networks such as 10.0.0.0/8, joined by commas';
  const variable = 'CUBBY_WEBHOOK_ALLOW_PRIVATE';
  const found = reader.parsed<boolean | readonly string[], boolean>(variable, false, allowed, (value) => {
    if (value === 'on' || value === 'off') return value === 'on';
    const networks = value.split(',').map((network) => network.trim());
    return networks.every(isNetwork) ? networks : undefined;
  });
  return reader.show(variable, found, typeof found === 'boolean' ? (found ? 'on' : 'off') : found.join(', '));
}

function isNetwork(text: string): boolean {
  try {
    addNetwork(new BlockList(), text);
    return true;
  } catch {
    return false;
  }
}

/** Adds an address or a network. @throws for any other text */
export function addNetwork(list: BlockList, text: string): void {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0) throw new TypeError(`"${text}" is no address and no network.`);
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
}
