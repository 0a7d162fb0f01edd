import { InvalidArgumentError, type Command } from 'commander';

import type { AuditPlace } from '#server/domain/audit/audit-entry.ts';
import { verifyAudit } from '#server/domain/audit/verify-audit.ts';
import { auditVerdictView } from '#server/handlers/operator/views/audit-verdict.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';

interface Options {
  readonly expect?: AuditPlace;
}

export function addAuditVerify(audit: Command, operator: Operator): void {
  audit
    .command('verify')
    .description('check that no entry of the audit log was changed, removed or moved; exit code 1 if one was')
    .option(
      '--expect <place>',
      'the last entry of an earlier check, as SEQUENCE:HASH, which must still be there',
      place,
    )
    .action(async ({ expect }: Options, command: Command) => {
      const verdict = await operator.onStores((stores) => verifyAudit(stores, expect));
      operator.print(answerOf(verdict), command);
      if (verdict.problems.length > 0) throw new Failure('The audit log is not as it was written.');
    });
}

function answerOf(verdict: Awaited<ReturnType<typeof verifyAudit>>): Answer {
  const { entries, head, problems } = verdict;
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  const text =
    problems.length > 0
      ? problems.join('\n')
      : `The audit log has ${count}, each unchanged and in its place.\n` +
        `Keep its end elsewhere, for the next check: --expect ${head.sequence}:${head.hash}`;
  return { json: auditVerdictView(verdict), text };
}

function place(text: string): AuditPlace {
  const [, sequence, hash = ''] = /^(0|[1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined) throw new InvalidArgumentError('A place is a number, a colon and 64 hexadecimal digits.');
  return { sequence: Number(sequence), hash };
}
