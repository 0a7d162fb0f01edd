import type { Disposition } from '../objects/object.ts';
import type { Secrets } from '../ports/secrets.ts';

const purpose = 'download-link';

/** What a temporary link opens, and how; all of it is signed, and nothing of it can be changed by whoever holds it. */
export interface DownloadLink {
  readonly accountId: string;
  /** The full object id: a file that is moved or changes visibility has another one. */
  readonly objectId: string;
  /** A file that comes to that id later, though it were the same one again, has another one. */
  readonly generation: string;
  readonly expiresAt: number;
  readonly disposition: Disposition;
  readonly filename: string;
}

/** The token of `/d/<token>`: its content in base64url, a dot, and the signature. */
export function formatDownloadToken(secrets: Pick<Secrets, 'sign'>, link: DownloadLink): string {
  const content = Buffer.from(
    JSON.stringify([link.accountId, link.objectId, link.expiresAt, link.disposition, link.filename, link.generation]),
  ).toString('base64url');
  return `${content}.${secrets.sign(purpose, content)}`;
}

/** What a token opens; `undefined` when it is forged, damaged or was signed for something else. */
export function parseDownloadToken(secrets: Pick<Secrets, 'verify'>, token: string): DownloadLink | undefined {
  const [, content = '', signature = ''] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  if (!secrets.verify(purpose, content, signature)) return undefined;
  const [accountId, objectId, expiresAt, disposition, filename, generation] = JSON.parse(
    Buffer.from(content, 'base64url').toString(),
  );
  return { accountId, objectId, generation, expiresAt, disposition, filename };
}
