import type { Actor } from '#server/domain/activity/activity.ts';
import type { FileRequest } from '../file-request.ts';
import { findSender, senderHash, type Sender } from '../sender.ts';
import { readableLine } from '#server/domain/readable-line.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';

const secretLength = 32;
export const maxSenderCharacters = 80;

/** Who sends files at the page of a request. */
export interface PageSender {
  /** The value of the cookie. */
  readonly secret: string;
  /** Keyed hash of the secret. */
  readonly hash: string;
  /** Undefined for a sender that has stored nothing yet. */
  readonly known: Sender | undefined;
}

/** Returns the sender that a cookie names, or a new one. A cookie stays the same before its first file is stored. */
export async function pageSender(
  { metadata, secrets, ids }: Pick<CorePorts, 'ids' | 'metadata' | 'secrets'>,
  { id }: Pick<FileRequest, 'id'>,
  cookie: string | undefined,
): Promise<PageSender> {
  const known = await findSender(metadata.read, secrets, id, cookie);
  const isOurs = cookie !== undefined && /^[A-Za-z0-9]+$/.test(cookie) && cookie.length === secretLength;
  const secret = isOurs ? cookie : ids.secretText(secretLength);
  return { secret, known, hash: known?.hash ?? senderHash(secrets, id, secret) };
}

/** Returns the sender as the account's activity shows it. */
export function senderActor({ client }: Pick<Call, 'client'>): Actor {
  return { sourceIp: client.address, userAgent: client.userAgent, auth: 'upload_token' };
}

/** @throws INVALID_SENDER_NAME */
export function requireName(known: Sender | undefined, given: string | undefined): string {
  const name = known?.name ?? readableLine(given ?? '');
  if (name === '' || [...name].length > maxSenderCharacters) throw new Refusal('INVALID_SENDER_NAME');
  return name;
}
