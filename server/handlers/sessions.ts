import { finding } from '#server/http/operation.ts';
import type { SessionsHandlers } from '#generated/router.ts';
import type { Session } from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { BrowserSession } from '#server/domain/sessions/browser-session.ts';
import { endSession } from '#server/domain/sessions/end-session.ts';
import { csrfTokenOf, parseBrowserToken } from '#server/domain/sessions/session-token.ts';
import { startSession } from '#server/domain/console/start-session.ts';
import type { Call } from './call.ts';
import type { CorePorts } from './ports.ts';
import { removedSessionCookie, sessionCookie, sessionCookieNames } from './session-cookies.ts';
import { guardedSignIn, requireSignInPage, type SignInDeps } from './sign-in-guard.ts';
import { done, success, timestamp, timestampOrNull } from './wire.ts';

interface Deps extends CorePorts, SignInDeps {
  /** Must not throw. */
  noteUse(caller: Caller): void;
}

const noStore = { 'Cache-Control': 'no-store' } as const;

/** Returns the handlers of the sessions of an account. */
export function sessionsHandlers(deps: Deps): SessionsHandlers<Call> {
  return {
    startSession: finding(
      (_path, call) => requireSignInPage(deps, call),
      async ({ body: { api_key: credential, remember: isRemembered = false } }, call) => {
        const browser = { sourceIp: call.client.address, userAgent: call.client.userAgent };
        const started = await guardedSignIn(deps, call, () =>
          startSession(deps, { credential, isRemembered, ...browser }),
        );
        deps.noteUse({ account: started.account, key: started.key, isSession: true, session: started.session });
        const cookie = sessionCookie('console', started.token, isRemembered);
        return { ...success(sessionOf(started)), headers: { ...noStore, 'Set-Cookie': cookie } };
      },
    ),

    async getSession(_input, { caller, browser }) {
      const secret = parseBrowserToken(deps.secrets, 'console', browser.cookies.get(sessionCookieNames.console));
      const csrfToken = caller.session && secret !== undefined ? csrfTokenOf(deps.secrets, 'console', secret) : null;
      return { ...success(sessionOf({ ...caller, csrfToken })), headers: noStore };
    },

    async deleteSession(_input, { caller: { session, account } }) {
      if (!session) throw new Refusal('SESSION_NOT_FOUND');
      await endSession(deps, { sessionId: session.id, accountId: account.id });
      return { ...done, headers: { 'Set-Cookie': removedSessionCookie('console') } };
    },

    async listSessions(_input, { caller: { account, session } }) {
      const live = await deps.metadata.read.browserSessions.liveOf(account.id, deps.clock.now());
      return success({ sessions: live.map((one) => listed(one, session)) });
    },

    async revokeSession({ path }, { caller: { account } }) {
      await endSession(deps, { sessionId: path.id, accountId: account.id });
      return done;
    },
  };
}

interface Signed {
  readonly account: Account;
  readonly key: ApiKey;
  readonly session?: BrowserSession | undefined;
  readonly csrfToken: string | null;
}

function sessionOf({ account: { id, name, plan }, key, session, csrfToken }: Signed): Session {
  return {
    id: session?.id ?? null,
    account: { id, name, plan },
    key: { id: key.id, name: key.name, last4: key.last4 },
    scopes: [...key.scopes] as Session['scopes'],
    resources: key.resources && [...key.resources],
    prefixes: key.prefixes && [...key.prefixes],
    created_at: timestampOrNull(session?.createdAt ?? null),
    expires_at: timestampOrNull(session ? session.expiresAt : key.expiresAt),
    csrf_token: csrfToken,
  };
}

function listed(session: BrowserSession, current: BrowserSession | undefined) {
  return {
    id: session.id,
    key_id: session.keyId,
    created_at: timestamp(session.createdAt),
    last_used_at: timestamp(session.lastUsedAt),
    expires_at: timestamp(session.expiresAt),
    source_ip: session.sourceIp,
    user_agent: session.userAgent,
    current: session.id === current?.id,
  };
}
