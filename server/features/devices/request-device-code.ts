import type { Scope } from '#server/domain/access/scope.ts';
import { devicePollIntervalMs, deviceCodeLifetimeMs } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { deviceCredential, newDeviceCode, newUserCode, userCredential } from './device-codes.ts';

interface Deps {
  readonly metadata: Writes<'deviceRequests'>;
  readonly secrets: Pick<Secrets, 'credentialHash'>;
  readonly ids: Ids;
}

interface RequestDeviceCode {
  readonly clientName: string;
  /** Without full access. */
  readonly scopes: readonly Scope[];
  readonly sourceIp: string;
}

interface RequestedDeviceCode {
  /** The code with which the client asks for its key. It is stored only as a hash. */
  readonly deviceCode: string;
  /** The code that a person types to find the request. */
  readonly userCode: string;
}

/** At most a few thousand of 20^8 codes are taken, so a second try is rare. Three failed tries mean a fault. */
const tries = 3;

/** Stores a client's request for a key for 15 minutes, until a person decides. @see RFC 8628, section 3.1 */
export function requestDeviceCode(
  { metadata, secrets, ids }: Deps,
  { clientName, scopes, sourceIp }: RequestDeviceCode,
): Promise<RequestedDeviceCode> {
  const deviceCode = newDeviceCode(ids);
  return metadata.atomically(async (tx) => {
    const request = {
      clientName,
      scopes,
      sourceIp,
      state: 'pending',
      decision: null,
      createdAt: tx.now,
      expiresAt: tx.now + deviceCodeLifetimeMs,
    } as const;
    for (let left = tries; left > 0; left--) {
      const userCode = newUserCode(ids);
      const hashes = {
        deviceCode: secrets.credentialHash(deviceCredential(deviceCode)),
        userCode: secrets.credentialHash(userCredential(userCode)),
        intervalMs: devicePollIntervalMs,
      };
      if (await tx.deviceRequests.add(request, hashes)) return { deviceCode, userCode };
    }
    throw new Error(`No user code was free in ${tries} tries.`);
  });
}
