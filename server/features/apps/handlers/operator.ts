import { parsing } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import { requireAccount } from '#server/domain/account/change-account.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { operatorOf, type Call } from '#server/handlers/call.ts';
import { labelOf } from '#server/handlers/label.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { created, success } from '#server/handlers/wire.ts';
import { createApp } from '../create-app.ts';
import { appView } from './app-view.ts';

/** Returns the handlers of the applications of an account, for operators. */
export function appsOperatorHandlers(deps: Pick<CorePorts, 'metadata' | 'ids'>) {
  const { read } = deps.metadata;
  return {
    async listAccountApps({ path }) {
      const { id } = await requireAccount(read, path.account_id);
      return success({ apps: (await read.apps.listOf(id)).map(appView) });
    },

    createAccountApp: parsing(
      ({ path, body }) => ({ accountId: path.account_id, name: labelOf(body.name) }),
      async (wanted, call) => {
        const app = await createApp(deps, { ...wanted, by: operatorOf(call) });
        if (!app) throw new Refusal('ACCOUNT_NOT_FOUND');
        return created(appView(app));
      },
    ),
  } satisfies Partial<OperatorHandlers<Call>>;
}
