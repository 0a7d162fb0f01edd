import { timingSafeEqual } from 'node:crypto';

import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import { findByCredential, hashText } from '#server/domain/find-by-credential.ts';

/** Somebody who sends files to a request. The cookie of a browser, or one form without cookies. */
export interface Sender {
  readonly requestId: string;
  /** Keyed hash of the secret in the cookie. */
  readonly hash: string;
  /** As the sender gave it. Null if none was requested. */
  readonly name: string | null;
  /** The folder below the request's prefix. Null without one. No other sender of the request has it. */
  readonly folder: string | null;
  readonly createdAt: number;
  /** The files of the last form that were not stored. */
  readonly refused: readonly RefusedFile[];
}

/** A file that was not stored. */
export interface RefusedFile {
  readonly name: string;
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** A file that was stored, as its sender sees it. */
export interface SentFile {
  readonly requestId: string;
  readonly senderHash: string;
  /** Counts up within the request. */
  readonly number: number;
  /** As sent, with its folders. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Null while it is not computed. */
  readonly sha256: string | null;
  readonly receivedAt: number;
}

function credentialOf(requestId: string, secret: string): string {
  return `file-request-sender:${requestId}:${secret}`;
}

/** Returns the keyed hash of the secret in a sender's cookie. */
export function senderHash(secrets: Pick<KeySecrets, 'credentialHash'>, requestId: string, secret: string): string {
  return hashText(secrets.credentialHash(credentialOf(requestId, secret)));
}

interface SenderTables {
  readonly fileRequests: { findSender(requestId: string, senderHash: string): Promise<Sender | undefined> };
}

/** Finds a sender by the secret in a cookie. Undefined without one, and for a sender that has stored nothing. */
export async function findSender(
  { fileRequests }: SenderTables,
  secrets: Pick<Secrets, 'finders'>,
  requestId: string,
  secret: string | undefined,
): Promise<Sender | undefined> {
  if (secret === undefined) return undefined;
  return findByCredential(secrets, credentialOf(requestId, secret), (hash) =>
    fileRequests.findSender(requestId, hashText(hash)),
  );
}

/** Whether the secret in a cookie is that of the sender of an upload. */
export function matchSender(
  secrets: Pick<Secrets, 'finders'>,
  { requestId, senderHash: hash }: { readonly requestId: string; readonly senderHash: string },
  secret: string | undefined,
): boolean {
  if (secret === undefined) return false;
  return secrets.finders().some((keys) => {
    const given = Buffer.from(senderHash(keys, requestId, secret));
    const expected = Buffer.from(hash);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
