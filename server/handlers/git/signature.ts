import { isFresh, isSameText, isSignedByToken, isSignedWith, isSigningToken } from '#server/domain/deploys/delivery.ts';
import { signedDeliveryToleranceMs } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { HeaderOf, HostDialect } from './hosts.ts';

/**
 * Checks the signature of a delivery, in the way that its host signs.
 *
 * @param now milliseconds since the epoch
 * @throws INVALID_SIGNATURE
 */
export function requireSignature(
  { signatures }: HostDialect,
  secret: string,
  bytes: Buffer,
  header: HeaderOf,
  now: number,
): void {
  const used = signatures.find(
    ({ header: name, kind }) => header(name) !== undefined && (kind !== 'signing-token' || isSigningToken(secret)),
  );
  if (!used || !isSigned(used, secret, bytes, header)) throw new Refusal('INVALID_SIGNATURE');
  const timestamp = header('webhook-timestamp') ?? '';
  if (used.kind !== 'signing-token' || isFresh(timestamp, now)) return;
  const limit = `${signedDeliveryToleranceMs / 60_000} minutes`;
  throw new Refusal('INVALID_SIGNATURE', {
    message: `webhook-timestamp must be within ${limit} of this server's clock, in seconds since 1970. Got ${JSON.stringify(timestamp.slice(0, 20))} at ${Math.floor(now / 1000)}. Resend the event from the host, and check both clocks.`,
  });
}

function isSigned(
  { header: name, kind, prefix = '' }: HostDialect['signatures'][number],
  secret: string,
  bytes: Buffer,
  header: HeaderOf,
): boolean {
  const given = header(name)!;
  if (kind === 'signing-token')
    return isSignedByToken(secret, {
      id: header('webhook-id') ?? '',
      timestamp: header('webhook-timestamp') ?? '',
      bytes,
      signatures: given,
    });
  // HTTP trims both ends of a header.
  if (kind === 'token') return given !== '' && isSameText(secret.trim(), given);
  return given.startsWith(prefix) && isSignedWith(secret, bytes, given.slice(prefix.length));
}
