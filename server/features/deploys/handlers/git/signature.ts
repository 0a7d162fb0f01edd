import {
  hexSignature,
  isFresh,
  isSameText,
  isSigningToken,
  tokenSignature,
  type SignatureCheck,
} from '../../delivery.ts';
import { signedDeliveryToleranceMs } from '../../limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { HeaderOf, HostDialect } from './hosts.ts';

/** Checks the signature of a delivery that arrives piece by piece. */
interface DeliverySignature {
  update(bytes: Uint8Array): void;
  /** @throws INVALID_SIGNATURE */
  require(): void;
}

/**
 * Returns the check of the signature of a delivery, in the way that its host signs.
 *
 * @param now milliseconds since the epoch
 * @throws INVALID_SIGNATURE without a signature
 */
export function deliverySignature(
  { signatures }: HostDialect,
  secret: string,
  header: HeaderOf,
  now: number,
): DeliverySignature {
  const used = signatures.find(
    ({ header: name, kind }) => header(name) !== undefined && (kind !== 'signing-token' || isSigningToken(secret)),
  );
  const check = used && checkOf(used, secret, header);
  if (!check) throw new Refusal('INVALID_SIGNATURE');
  return {
    update: (bytes) => check.update(bytes),
    require() {
      if (!check.isRight()) throw new Refusal('INVALID_SIGNATURE');
      if (used.kind === 'signing-token') requireFresh(header('webhook-timestamp') ?? '', now);
    },
  };
}

function checkOf(
  { header: name, kind, prefix = '' }: HostDialect['signatures'][number],
  secret: string,
  header: HeaderOf,
): SignatureCheck | undefined {
  const given = header(name)!;
  if (kind === 'signing-token')
    return tokenSignature(secret, {
      id: header('webhook-id') ?? '',
      timestamp: header('webhook-timestamp') ?? '',
      signatures: given,
    });
  // HTTP trims both ends of a header.
  if (kind === 'token') return { update() {}, isRight: () => given !== '' && isSameText(secret.trim(), given) };
  return given.startsWith(prefix) ? hexSignature(secret, given.slice(prefix.length)) : undefined;
}

/** @throws INVALID_SIGNATURE */
function requireFresh(timestamp: string, now: number): void {
  if (isFresh(timestamp, now)) return;
  const limit = `${signedDeliveryToleranceMs / 60_000} minutes`;
  throw new Refusal('INVALID_SIGNATURE', {
    message:
      `webhook-timestamp must be within ${limit} of this server's clock, in seconds since 1970. Got ` +
      `${JSON.stringify(timestamp.slice(0, 20))} at ${Math.floor(now / 1000)}. Resend the event from the host, and ` +
      'check both clocks.',
  });
}
