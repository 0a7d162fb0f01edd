import type { ImagesHandlers } from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { success } from '#server/handlers/wire.ts';
import { imageSigningKey } from '../signing-key.ts';

/** Returns the handler of the key that signs addresses of variants. */
export function imagesAccountHandlers({ secrets }: Pick<Ports, 'secrets'>) {
  return {
    async getImageKey(_input, { caller }) {
      return success({ key: imageSigningKey(secrets, caller.account.id) });
    },
  } satisfies Partial<ImagesHandlers<Call>>;
}
