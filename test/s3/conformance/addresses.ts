import { byAddress, get, pathOf, put, type Case } from './case.ts';

const path = pathOf('a');
const hourSeconds = 3600;
const weekSeconds = 7 * 24 * hourSeconds;
const stored = get('a', {}, { status: 200, body: 'content' });

/** Addresses that stand for a signed request. */
export const addresses: readonly Case[] = [
  { name: 'an address reads a file', steps: [put('a'), byAddress({ path, expiresSeconds: 100_000 }, { status: 200, body: 'content' })] },
  { name: 'OPTIONS without an origin', steps: [put('a'), byAddress({ path, expiresSeconds: 100_000 }, { status: 400, code: /./ }, 'OPTIONS')] },
  { name: 'an address writes a file with the header that it was signed with', steps: [byAddress({ method: 'PUT', path, body: 'content', headers: { 'x-amz-acl': 'private' } }, { status: 200 }), byAddress({ path }, { status: 200, body: 'content' })] },
  { name: 'an address for no time', steps: [put('a'), byAddress({ path, expiresSeconds: 0 }, { status: 403, code: 'AccessDenied' })] },
  { name: 'an address for more than seven days', steps: [put('a'), byAddress({ path, expiresSeconds: weekSeconds + 1 }, { status: 400, code: 'AuthorizationQueryParametersError' })] },
  { name: 'an address for less than no time', steps: [put('a'), byAddress({ path, expiresSeconds: -7 }, { status: 400, code: 'AuthorizationQueryParametersError' })] },
  { name: 'an address whose time is over writes nothing', steps: [put('a'), () => byAddress({ method: 'PUT', path, body: 'new', expiresSeconds: 60, signedAtMs: Date.now() - 2 * hourSeconds * 1000 }, { status: 403, code: 'AccessDenied' }), stored] },
];
