import { parsing, type OperatorHandlers } from '#generated/router.ts';
import { listAudit } from '#server/domain/audit/list-audit.ts';
import { verifyAudit } from '#server/domain/audit/verify-audit.ts';
import { parseInstant } from '#server/domain/edge-errors/parse-instant.ts';
import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '../call.ts';
import { continuation, cursorOf, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { auditEntryView } from './views/audit-entry.ts';
import { auditVerdictView } from './views/audit-verdict.ts';

/** Returns the handlers of the audit log. */
export function operatorAuditHandlers(
  deps: Pick<OperatorPorts, 'metadata' | 'secrets'>,
): Pick<OperatorHandlers<Call>, 'listAuditEntries' | 'verifyAuditLog'> {
  return {
    listAuditEntries: parsing(
      ({ query }) => ({ since: instantOf(query.since), limit: query.limit ?? 100, cursor: cursorOf(query) }),
      async (page) => {
        const { entries, next } = await listAudit(deps, page);
        return success({ entries: entries.map(auditEntryView), ...continuation(next) });
      },
    ),

    async verifyAuditLog({ query: { expect } }) {
      const [sequence, hash = ''] = expect?.split(':') ?? [];
      const expected = sequence === undefined ? undefined : { sequence: Number(sequence), hash };
      return success(auditVerdictView(await verifyAudit(deps, expected)));
    },
  };
}

/** @throws INVALID_TIME_RANGE for a date that does not exist */
function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A `+` that the client did not encode arrives as a space.
  const instant = parseInstant(text.replace(' ', '+'));
  if (instant === undefined) throw new Refusal('INVALID_TIME_RANGE', { detail: `Got ${shownValue(text)}.` });
  return instant;
}
