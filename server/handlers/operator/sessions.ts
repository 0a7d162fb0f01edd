import { finding } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import type { OperatorSession } from '#generated/types.ts';
import type { OperatorKey } from '#server/domain/operator/operator-key.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { BrowserSession } from '#server/domain/sessions/browser-session.ts';
import { endSession } from '#server/domain/sessions/end-session.ts';
import { csrfTokenOf, parseBrowserToken } from '#server/domain/sessions/session-token.ts';
import { startOperatorSession } from '#server/domain/console/start-operator-session.ts';
import type { Call } from '../call.ts';
import type { CorePorts } from '../ports.ts';
import { removedSessionCookie, sessionCookie, sessionCookieNames } from '../session-cookies.ts';
import { guardedSignIn, requireSignInPage, type SignInDeps } from '../sign-in-guard.ts';
import { done, success, timestampOrNull } from '../wire.ts';

const noStore = { 'Cache-Control': 'no-store' } as const;

/** Returns the handlers of the sessions at the operator's door. */
export function operatorSessionHandlers(deps: CorePorts & SignInDeps) {
  return {
    startOperatorSession: finding(
      (_path, call) => requireSignInPage(deps, call),
      async ({ body: { operator_key: credential } }, call) => {
        const command = { credential, sourceIp: call.client.address, userAgent: call.client.userAgent };
        const started = await guardedSignIn(deps, call, () => startOperatorSession(deps, command));
        const cookie = sessionCookie('operator', started.token);
        return { ...success(sessionOf(started)), headers: { ...noStore, 'Set-Cookie': cookie } };
      },
    ),

    async getOperatorSession(_input, { operator: { operatorKey: key, session }, browser }) {
      const secret = parseBrowserToken(deps.secrets, 'operator', browser.cookies.get(sessionCookieNames.operator));
      const csrfToken = session && secret !== undefined ? csrfTokenOf(deps.secrets, 'operator', secret) : null;
      return { ...success(sessionOf({ key, session, csrfToken })), headers: noStore };
    },

    async deleteOperatorSession(_input, { operator: { session } }) {
      if (!session) throw new Refusal('SESSION_NOT_FOUND');
      await endSession(deps, { sessionId: session.id, accountId: null });
      return { ...done, headers: { 'Set-Cookie': removedSessionCookie('operator') } };
    },
  } satisfies Partial<OperatorHandlers<Call>>;
}

interface Signed {
  readonly key: OperatorKey;
  readonly session?: BrowserSession | undefined;
  readonly csrfToken: string | null;
}

function sessionOf({ key, session, csrfToken }: Signed): OperatorSession {
  return {
    id: session?.id ?? null,
    key: { id: key.id, name: key.name, last4: key.last4 },
    created_at: timestampOrNull(session?.createdAt ?? null),
    expires_at: timestampOrNull(session ? session.expiresAt : key.expiresAt),
    csrf_token: csrfToken,
  };
}
