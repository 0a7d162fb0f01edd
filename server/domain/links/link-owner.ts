import type { Clock } from '../ports/clock.ts';
import type { Secrets } from '../ports/secrets.ts';
import { parseDownloadToken } from './download-link.ts';

interface Deps {
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/** Returns the account of a temporary link; undefined when it is forged or has expired. */
export function linkOwner({ secrets, clock }: Deps, token: string): string | undefined {
  const link = parseDownloadToken(secrets, token);
  return link && link.expiresAt > clock.now() ? link.accountId : undefined;
}
