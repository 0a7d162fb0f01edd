import type { DeviceHandlers } from '#generated/router.ts';
import { everyScope, isScope, type Scope } from '#server/domain/access/scope.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { pollDeviceToken } from '#server/domain/devices/poll-device-token.ts';
import { requestDeviceCode } from '#server/domain/devices/request-device-code.ts';
import { deviceCodeLifetimeMs, deviceKeyLifetimeMs, devicePollIntervalMs } from '#server/domain/limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  /** The address of the approval page, as clients see it. */
  readonly activationUrl: string;
}

type CodeBody = Parameters<DeviceHandlers<Call>['requestDeviceCode']>[0]['body'];

/** What patterns cannot say of a name (see `isLabel`), and the scopes where they come as one text. */
export const deviceFieldChecks: FieldChecks = {
  requestDeviceCode({ body }: { readonly body: CodeBody }) {
    if (!isLabel(body.client_name)) throw new Refusal('invalid_request');
    scopesOf(body);
  },
};

/** Wire ⇄ domain for clients that ask for a key of their own, in the shapes of RFC 8628 and RFC 6749. */
export function deviceHandlers(deps: Deps): Pick<DeviceHandlers<Call>, 'requestDeviceCode' | 'pollDeviceToken'> {
  return {
    async requestDeviceCode({ body }, { origin }) {
      const { deviceCode, userCode } = await requestDeviceCode(deps, { clientName: body.client_name, scopes: scopesOf(body), sourceIp: origin.address });
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

    async pollDeviceToken({ body }) {
      const { key, credential } = await pollDeviceToken(deps, body.device_code);
      return { status: 200, body: { access_token: credential, token_type: 'Bearer', expires_in: seconds(deviceKeyLifetimeMs) as 7776000, scope: key.scopes.join(' ') } };
    },
  };
}

/** @throws invalid_scope for one that is unknown, named twice, or full access */
function scopesOf({ scopes }: CodeBody): Scope[] {
  const names: readonly string[] = typeof scopes === 'string' ? scopes.split(' ') : scopes;
  const known = names.filter((name) => isScope(name) && name !== everyScope) as Scope[];
  if (known.length < names.length || new Set(names).size < names.length) throw new Refusal('invalid_scope');
  return known;
}

function seconds(ms: number): number {
  return ms / 1000;
}
