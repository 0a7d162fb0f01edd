import type { OperatorAuditEntry } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';

export async function openEntry(entry: OperatorAuditEntry): Promise<void> {
  const text = messages().audit;
  const code = (value: string | null) => value !== null && <code>{value}</code>;
  await openDialog((close) => (
    <Dialog title={entry.action} isWide onClose={() => close()}>
      <Facts
        rows={[
          [text.sequence, entry.sequence],
          [text.when, <Time at={entry.at} />],
          [
            text.actor,
            <>
              {text.actors[entry.actor.kind]} {code(entry.actor.id)}
            </>,
          ],
          [text.address, code(entry.actor.address)],
          [text.account, code(entry.account_id)],
          [text.subject, code(entry.subject)],
          ...Object.entries(entry.details).map(
            ([name, value]) =>
              [name, <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>] as const,
          ),
          [text.hash, code(entry.hash)],
        ]}
      />
    </Dialog>
  ));
}
