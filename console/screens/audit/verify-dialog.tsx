import { useState } from 'preact/hooks';

import { verifyAuditLog, type OperatorAuditVerdict } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Checks the whole log, also against a place that was noted earlier. */
export async function openVerify(): Promise<void> {
  await openDialog((close) => <Verify close={close} />);
}

function Verify({ close }: { readonly close: () => void }) {
  const text = messages().audit;
  const [expect, setExpect] = useState('');
  const [verdict, setVerdict] = useState<OperatorAuditVerdict>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    setVerdict(undefined);
    try {
      const place = expect.trim();
      setVerdict(await ask(verifyAuditLog({ query: place === '' ? {} : { expect: place } })));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={text.verify}
      onClose={() => close()}
      onSubmit={() => void run()}
      actions={
        <Button kind="first" type="submit" isBusy={isBusy}>
          {text.check}
        </Button>
      }
    >
      <p class="hint">{text.verifyHint}</p>
      <Field
        label={text.expect}
        hint={text.expectHint}
        value={expect}
        onInput={({ currentTarget }) => setExpect(currentTarget.value)}
        spellcheck={false}
        autofocus
      />
      {error !== undefined && <Problem error={error} />}
      {verdict && (
        <div role="status">
          <p>
            <span class={verdict.ok ? 'badge good' : 'badge bad'}>{verdict.ok ? text.whole : text.broken}</span>{' '}
            {text.checked(formatNumber(verdict.entries))}
          </p>
          {verdict.problems.length > 0 && (
            <ul>
              {verdict.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <p class="hint">{text.headHint}</p>
          <Copyable text={`${verdict.head.sequence}:${verdict.head.hash}`} label={messages().common.copy} />
        </div>
      )}
    </Dialog>
  );
}
