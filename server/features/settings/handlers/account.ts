import { parsing } from '#server/http/operation.ts';
import type { SettingsHandlers } from '#generated/router.ts';
import type { Settings } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Readers } from '#server/domain/ports/metadata.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import type { SettingsPart } from '#server/handlers/settings-part.ts';
import { success } from '#server/handlers/wire.ts';
import { replaceSettings } from '../replace-settings.ts';

/** Returns the handlers of the settings of an account. @param parts the lists of features, as responses order them */
export function settingsAccountHandlers(deps: CorePorts, parts: readonly SettingsPart[]) {
  async function settingsOf({ account, key }: Caller, tables: Readers): Promise<Settings> {
    const lists: Array<readonly [string, unknown]> = [];
    for (const part of parts) lists.push([part.field, await part.read(tables, account.id, key.prefixes)]);
    // A list is missing only where its feature is switched off, and the served contract leaves it out too.
    return Object.fromEntries(lists) as Settings;
  }

  return {
    async getSettings(_input, { caller }) {
      return success(await settingsOf(caller, deps.metadata.read));
    },

    replaceSettings: parsing(
      ({ body }) =>
        Object.fromEntries(
          parts.map((part) => {
            const sent = body[part.field];
            return [part.field, sent === undefined ? undefined : part.parse(sent)];
          }),
        ),
      async (changes, call) => {
        const { caller } = call;
        const read = (tx: Readers) => settingsOf(caller, tx);
        const command = { account: caller.account, changes, actor: actorOf(call), read };
        return success(await replaceSettings(deps, command));
      },
    ),
  } satisfies Partial<SettingsHandlers<Call>>;
}
