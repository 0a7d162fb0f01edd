import type { Command } from 'commander';

import { readAudit } from '#server/domain/audit/read-audit.ts';
import { auditEntryView } from '#server/handlers/operator/views/audit-entry.ts';
import { parseInstant } from '../arguments.ts';
import type { Operator } from '../operator.ts';

export function addAuditExport(audit: Command, operator: Operator): void {
  audit
    .command('export')
    .description('print the audit log as JSON lines, oldest first, with or without --json')
    .option('--since <instant>', 'leave out what happened before this time (ISO 8601)', parseInstant)
    .action(({ since }: { readonly since?: number }) =>
      operator.onStores(async (stores) => {
        for await (const step of readAudit(stores, since))
          operator.write(step.map((entry) => `${JSON.stringify(auditEntryView(entry))}\n`).join(''));
      }),
    );
}
