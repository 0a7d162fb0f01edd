import { parsing } from '#server/http/operation.ts';
import type { DevicesHandlers } from '#generated/router.ts';
import type { RequestDeviceCodeData } from '#generated/types.ts';
import { everyScope, isScope, type Scope } from '#server/domain/access/scope.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { pollDeviceToken } from '../poll-device-token.ts';
import { requestDeviceCode } from '../request-device-code.ts';
import { deviceCodeLifetimeMs, devicePollIntervalMs } from '../limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { got } from '#server/domain/error-value.ts';
import { activationHandlers, type ActivationDeps } from './activation.ts';
import type { Call } from '#server/handlers/call.ts';

type CodeBody = RequestDeviceCodeData['body'];

/**
 * Returns the handlers for clients that request a key of their own, and for the page that approves them. Clients use
 * the shapes of RFC 8628 and RFC 6749.
 */
export function deviceHandlers(deps: ActivationDeps): DevicesHandlers<Call> {
  return {
    ...activationHandlers(deps),

    requestDeviceCode: parsing(
      ({ body }) => ({ clientName: clientNameOf(body), scopes: scopesOf(body) }),
      async (requested, { client }) => {
        const { deviceCode, userCode } = await requestDeviceCode(deps, { ...requested, sourceIp: client.address });
        return {
          status: 200,
          body: {
            device_code: deviceCode,
            user_code: userCode,
            verification_uri: deps.activationUrl,
            expires_in: seconds(deviceCodeLifetimeMs) as 900,
            interval: seconds(devicePollIntervalMs) as 5,
          },
        };
      },
    ),

    async pollDeviceToken({ body }) {
      const { key, credential } = await pollDeviceToken(deps, body.device_code);
      return {
        status: 200,
        body: {
          access_token: credential,
          token_type: 'Bearer',
          expires_in: seconds(key.expiresAt! - key.createdAt),
          scope: key.scopes.join(' '),
        },
      };
    },
  };
}

/** @throws invalid_request if the client has no name that people can read */
function clientNameOf({ client_name: name, client_id: id }: CodeBody): string {
  const label = name ?? id;
  if (label === undefined)
    throw new Refusal('invalid_request', {
      message: 'client_name or client_id is missing. Send one: the person who approves the request reads it.',
    });
  if (!isLabel(label)) {
    const field = name === undefined ? 'client_id' : 'client_name';
    throw new Refusal('invalid_request', {
      message: `${field} takes 1 to 64 printable characters, one of them visible. ${got(label)}`,
    });
  }
  return label;
}

/** @throws invalid_scope for no scope, an unknown or repeated one, or full access */
function scopesOf({ scopes, scope }: CodeBody): Scope[] {
  const requested = scopes ?? scope ?? [];
  const names: readonly string[] = typeof requested === 'string' ? requested.split(' ') : requested;
  if (names.length === 0) throw new Refusal('invalid_scope', { detail: 'scopes or scope is missing.' });
  const known = names.filter((name) => isScope(name) && name !== everyScope) as Scope[];
  const unfit = names.find((scope, at) => !known.includes(scope as Scope) || names.indexOf(scope) < at);
  if (unfit !== undefined) throw new Refusal('invalid_scope', { detail: got(unfit) });
  return known;
}

function seconds(ms: number): number {
  return ms / 1000;
}
