import { authenticate } from '../access/authenticate.ts';
import { isLive, type ApiKey } from '../access/api-key.ts';
import { renewSecret } from '../access/renew-secret.ts';
import { requireOpen } from '../account/closed-account.ts';
import type { Account } from '../account/account.ts';
import { keyHolder, recordAudit } from '../audit/record-audit.ts';
import {
  maxBrowserSessions,
  browserSessionMs,
  maxUserAgentCharacters,
  rememberedSessionMs,
  sessionSecretLength,
} from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { BrowserSession, SessionKind } from '../sessions/browser-session.ts';
import { browserCredential, csrfTokenOf, formatBrowserToken } from '../sessions/session-token.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'apiKeys' | 'audit' | 'browserSessions' | 'uploadTokens'>;
  readonly secrets: Secrets;
  readonly ids: Pick<Ids, 'opaqueId' | 'secretText'>;
  readonly clock: Clock;
}

/** The browser that signs in. */
export interface Browser {
  readonly sourceIp: string;
  readonly userAgent: string | null;
}

interface StartSession extends Browser {
  readonly credential: string;
  /** Whether the session lasts 30 days, and not 12 hours. */
  readonly isRemembered: boolean;
}

export interface StartedSession {
  readonly session: BrowserSession;
  /** The value of the cookie. */
  readonly token: string;
  readonly csrfToken: string;
}

/**
 * Exchanges an API key for a session. If the key has too many, its oldest ends.
 *
 * @throws ACCESS_DENIED when the key is malformed, unknown, revoked or expired: all look the same
 * @throws ACCOUNT_SUSPENDED
 */
export async function startSession(
  deps: Deps,
  { credential, isRemembered, ...browser }: StartSession,
): Promise<StartedSession & { readonly account: Account; readonly key: ApiKey }> {
  const { account, key, secret } = await authenticate(deps, credential.trim());
  if (!secret) throw new Refusal('ACCESS_DENIED');
  const accountId = account.id;
  const started = await deps.metadata.atomically(
    async (tx) => {
      await renewSecret(tx, key.id, secret);
      // The key may have got another secret meanwhile, which has ended the sessions of the former one.
      const now = await tx.apiKeys.findByHash((secret.renewed ?? secret).hash);
      if (!now || !isLive(now, tx.now)) throw new Refusal('ACCESS_DENIED');
      const owner = await tx.accounts.find(accountId);
      if (!owner) throw new Refusal('ACCESS_DENIED');
      requireOpen(owner);
      const lifetimeMs = isRemembered ? rememberedSessionMs : browserSessionMs;
      const made = newSession(deps, 'console', { accountId, key: now, now: tx.now, lifetimeMs, browser });
      await tx.browserSessions.removeSurplus({ keyId: key.id }, maxBrowserSessions, tx.now);
      await tx.browserSessions.add(made.session, made.hash);
      const by = keyHolder(key.id, browser);
      const details = { session: made.session.id };
      await recordAudit(tx, { action: 'session.started', by, accountId, subject: key.id, details });
      return made;
    },
    { account: accountId },
  );
  return { ...started, account, key };
}

interface NewSession {
  readonly accountId: string | null;
  readonly key: { readonly id: string; readonly expiresAt: number | null };
  readonly now: number;
  readonly lifetimeMs: number;
  readonly browser: Browser;
}

/** Makes a session, which is not stored yet. It ends with its key at the latest. */
export function newSession(
  { secrets, ids }: Pick<Deps, 'secrets' | 'ids'>,
  kind: SessionKind,
  { accountId, key, now, lifetimeMs, browser: { sourceIp, userAgent } }: NewSession,
): StartedSession & { readonly hash: Uint8Array } {
  const secret = ids.secretText(sessionSecretLength);
  return {
    session: {
      id: `ses_${ids.opaqueId()}`,
      accountId,
      keyId: key.id,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: Math.min(now + lifetimeMs, key.expiresAt ?? Infinity),
      sourceIp,
      userAgent: userAgent?.slice(0, maxUserAgentCharacters).toWellFormed() ?? null,
    },
    hash: secrets.credentialHash(browserCredential(kind, secret)),
    token: formatBrowserToken(secrets, kind, secret),
    csrfToken: csrfTokenOf(secrets, kind, secret),
  };
}
