import type { Disposition } from '../object.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';

const purpose = 'download-link';

/**
 * The file that a temporary link opens, and how. All fields are signed, so that nobody can change them. Others call
 * this a presigned URL. Here that term belongs to another door.
 */
export interface DownloadLink {
  readonly accountId: string;
  /** The full object id. A file that is moved or changes visibility gets another one. */
  readonly objectId: string;
  /** A file that comes to this id later has another generation, even if it was here before. */
  readonly generation: string;
  readonly expiresAt: number;
  readonly disposition: Disposition;
  readonly filename: string;
}

/** Makes the token of `/d/<token>`: its content in base64url, a dot and the signature. */
export function formatDownloadToken(secrets: Pick<Secrets, 'sign'>, link: DownloadLink): string {
  const content = Buffer.from(
    JSON.stringify([link.accountId, link.objectId, link.expiresAt, link.disposition, link.filename, link.generation]),
  ).toString('base64url');
  return `${content}.${secrets.sign(purpose, content)}`;
}

/** Reads a token. Returns undefined when it is forged, damaged or was signed for another purpose. */
export function parseDownloadToken(secrets: Pick<Secrets, 'verify'>, token: string): DownloadLink | undefined {
  const [, content = '', signature = ''] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  if (!secrets.verify(purpose, content, signature)) return undefined;
  const [accountId, objectId, expiresAt, disposition, filename, generation] = JSON.parse(
    Buffer.from(content, 'base64url').toString(),
  );
  return { accountId, objectId, generation, expiresAt, disposition, filename };
}

/** Reads the token of a link that has not expired. Returns undefined for any other. */
export function readDownloadLink(
  { secrets, clock }: { readonly secrets: Pick<Secrets, 'verify'>; readonly clock: Clock },
  token: string,
): DownloadLink | undefined {
  const link = parseDownloadToken(secrets, token);
  return link && link.expiresAt > clock.now() ? link : undefined;
}
