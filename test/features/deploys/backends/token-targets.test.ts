import { describe, expect, it } from 'vitest';

import { tokenTargets } from '#server/features/deploys/backends/token-targets.ts';

const [publicIp, privateIp, other] = ['8.8.8.8', '10.0.0.1', '192.168.0.1'];

describe('tokenTargets()', () => {
  it.each([
    ['off', false, [true, true, false, false, false, false]],
    ['on', true, [true, true, false, true, true, true]],
    ['a list', ['10.0.0.0/8'], [true, true, false, true, true, false]],
  ] as const)('allows http only to private addresses that the operator allows: %s', (_, allowPrivate, expected) => {
    const { isAllowedOrigin } = tokenTargets(allowPrivate);
    const origins = [
      'https://git.example',
      `https://${publicIp}`,
      `http://${publicIp}`,
      // Its addresses are checked at each attempt.
      'http://git.example',
      `http://${privateIp}:3000`,
      `https://${other}`,
    ];
    expect(origins.map(isAllowedOrigin)).toEqual(expected);
  });

  it('checks the address of a name by the scheme, so that no token goes over http to a public one', () => {
    const { isAllowedAddress } = tokenTargets(true);
    const to = (scheme: string) => new URL(`${scheme}://git.example/api`);
    expect([isAllowedAddress(publicIp, to('http')), isAllowedAddress(privateIp, to('http'))]).toEqual([false, true]);
    expect([isAllowedAddress(publicIp, to('https')), isAllowedAddress(privateIp, to('https'))]).toEqual([true, true]);
  });
});
