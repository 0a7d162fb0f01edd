import { parsing } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import { listAudit } from '#server/domain/audit/list-audit.ts';
import { verifyAudit } from '#server/domain/audit/verify-audit.ts';
import type { Call } from '../call.ts';
import { queryInstant } from '../query-instant.ts';
import { continuation, cursorOf, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { auditEntryView } from './views/audit-entry.ts';
import { auditVerdictView } from './views/audit-verdict.ts';

/** Returns the handlers of the audit log. */
export function operatorAuditHandlers(deps: Pick<OperatorPorts, 'metadata' | 'secrets'>) {
  return {
    listAuditEntries: parsing(
      ({ query }) => ({
        since: queryInstant(query.since, 'INVALID_TIME_RANGE'),
        limit: query.limit ?? 100,
        cursor: cursorOf(query),
      }),
      async (page) => {
        const { rows: entries, next } = await listAudit(deps, page);
        return success({ entries: entries.map(auditEntryView), ...continuation(next) });
      },
    ),

    async verifyAuditLog({ query: { expect } }) {
      const [sequence, hash = ''] = expect?.split(':') ?? [];
      const expected = sequence === undefined ? undefined : { sequence: Number(sequence), hash };
      return success(auditVerdictView(await verifyAudit(deps, expected)));
    },
  } satisfies Partial<OperatorHandlers<Call>>;
}
