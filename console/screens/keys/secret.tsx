import type { ApiKeyWithSecret } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable, copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';

/** Shows the secret of a key, this once. Only a button closes it, so that a slip does not lose the secret. */
export async function showSecret(key: ApiKeyWithSecret): Promise<void> {
  await openDialog((close) => <SecretDialog apiKey={key} onClose={() => close()} />);
}

function SecretDialog({ apiKey, onClose }: { readonly apiKey: ApiKeyWithSecret; readonly onClose: () => void }) {
  const { keys, common } = messages();
  return (
    <Dialog
      title={keys.secretOf(apiKey.name)}
      onClose={() => {}}
      actions={
        <>
          <Button icon="copy" kind="first" autofocus onClick={() => void copyText(apiKey.key)}>
            {common.copy}
          </Button>
          <Button onClick={onClose}>{keys.saved}</Button>
        </>
      }
    >
      <p class="note">{keys.once}</p>
      <Copyable text={apiKey.key} label={keys.copySecret} />
    </Dialog>
  );
}
