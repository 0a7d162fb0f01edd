import { describe, expect, it } from 'vitest';

import { addressBucket, clientAddress, compileTrusted } from '#server/http/client-address.ts';

import { liveServer } from './live-server.ts';

/**
 * Returns the client's address according to a server that trusts the given proxies, over a real connection from
 * 127.0.0.1.
 */
async function seenAddress(trusted: readonly string[], forwardedFor?: string): Promise<string> {
  const isTrusted = compileTrusted(trusted);
  await using server = await liveServer((req, res) => res.end(clientAddress(req, isTrusted)));
  const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
  return (await fetch(server.url, { headers })).text();
}

describe('clientAddress()', () => {
  it.each<[string[], string | undefined, string, string]>([
    [[], undefined, '127.0.0.1', 'no proxy: the socket'],
    [[], '192.0.2.1', '127.0.0.1', 'a header of an untrusted client'],
    [['loopback'], undefined, '127.0.0.1', 'a trusted proxy without a header'],
    [['loopback'], '192.0.2.1', '192.0.2.1', 'a trusted proxy'],
    [['127.0.0.0/8'], '198.51.100.7, 192.0.2.1', '192.0.2.1', 'the last address, not those that the client invented'],
    [['loopback', '192.0.2.0/24'], '198.51.100.7, 192.0.2.1', '198.51.100.7', 'two trusted proxies'],
    [['loopback', '192.0.2.0/24'], '192.0.2.9, 192.0.2.1', '192.0.2.9', 'only trusted proxies: the outermost'],
    [['loopback'], '::ffff:192.0.2.1', '192.0.2.1', 'IPv4 mapped into IPv6'],
    [['loopback'], '::ffff:c000:201', '192.0.2.1', 'mapped IPv4 in hexadecimal'],
    [['loopback'], '2001:DB8::1', '2001:db8::1', 'IPv6 in lower case'],
    [['loopback'], '192.0.2.1:4711', '192.0.2.1', 'with a port'],
    [['loopback'], '[2001:db8::1]:4711', '2001:db8::1', 'IPv6 with a port'],
    [['loopback', '192.0.2.0/24'], '198.51.100.7, 192.0.2.1:99', '198.51.100.7', 'a trusted proxy with a port'],
    [['loopback'], 'fe80::1%eth0', 'fe80::1', 'with a zone'],
    [['loopback'], 'unknown', '127.0.0.1', 'not an address: the proxy that sent it'],
    [['loopback'], '192.0.2.1, <script>', '127.0.0.1', 'a malformed entry, before which nothing is trusted'],
    [['loopback'], '', '127.0.0.1', 'an empty header'],
    [['loopback'], ' , ,', '127.0.0.1', 'a header of commas'],
  ])('trusting %j, forwarded for %j → %s: %s', async (trusted, forwardedFor, expected) => {
    expect(await seenAddress(trusted, forwardedFor)).toBe(expected);
  });
});

describe('compileTrusted()', () => {
  it.each([['nonsense'], ['10.0.0.0/33'], ['10.0.0.0/x'], ['']])('throws for %j', (entry) => {
    expect(() => compileTrusted([entry])).toThrow(TypeError);
  });

  it('trusts IPv4 and IPv6 networks, and IPv4 in every notation', () => {
    const trusted = compileTrusted(['10.0.0.0/8', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map(trusted)).toEqual([true, true, true]);
    expect(['11.1.2.3', '2001:db8::1', 'unknown', ''].map(trusted)).toEqual([false, false, false, false]);
  });
});

describe('addressBucket()', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000::2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s → %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});
