import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';
import { Copyable } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { openDialog } from './dialogs.tsx';

/** Shows something that is shown only once, to copy it. */
export async function showSecret(title: string, text: string, secret: string): Promise<void> {
  await openDialog((close) => (
    <Dialog
      title={title}
      onClose={() => close()}
      actions={
        <Button kind="first" onClick={() => close()}>
          {messages().common.close}
        </Button>
      }
    >
      <p class="note">{text}</p>
      <Copyable text={secret} label={messages().common.copy} />
    </Dialog>
  ));
}
