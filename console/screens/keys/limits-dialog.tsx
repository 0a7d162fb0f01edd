import { useState } from 'preact/hooks';

import { updateKey, type ApiKey } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { limitsChange, limitsDraftOf, wrongAmounts } from './draft.ts';
import { LimitFields } from './limit-fields.tsx';

/** Changes the limits of a key in the AI gateway. */
export function LimitsDialog({
  apiKey,
  close,
}: {
  readonly apiKey: ApiKey;
  readonly close: (changed?: ApiKey) => void;
}) {
  const { keys, common } = messages();
  const [draft, setDraft] = useState(limitsDraftOf(apiKey.ai));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isRight = wrongAmounts(draft).size === 0;
  const submit = async () => {
    if (!isRight) return;
    setBusy(true);
    try {
      close(await ask(updateKey({ path: { id: apiKey.id }, body: { ai: limitsChange(draft) } })));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={keys.limitsOf(apiKey.name)}
      onClose={() => close()}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={() => close()}>{common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy} disabled={!isRight}>
            {common.save}
          </Button>
        </>
      }
    >
      <LimitFields draft={draft} onChange={setDraft} />
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
