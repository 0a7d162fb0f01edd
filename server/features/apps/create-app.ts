import { serverActor, type AuditActor } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { shortId } from '#server/domain/short-id.ts';
import type { App } from './app.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'apps' | 'audit'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

/** Makes an application. Two may have the same name. Returns undefined for an unknown account. */
export function createApp(
  { metadata, ids }: Deps,
  { accountId, name, by = serverActor }: Pick<App, 'accountId' | 'name'> & { readonly by?: AuditActor },
): Promise<App | undefined> {
  return metadata.atomically(
    async (tx) => {
      if (!(await tx.accounts.find(accountId))) return undefined;
      const app: App = {
        id: shortId(ids, 'app'),
        accountId,
        name,
        createdAt: tx.now,
        isBuiltIn: false,
      };
      await tx.apps.add(app);
      await recordAudit(tx, { action: 'app.created', by, accountId, subject: app.id, details: { name } });
      return app;
    },
    { account: accountId },
  );
}
