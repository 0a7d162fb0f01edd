import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SendButton } from './send-button.tsx';
import { LinkCard } from './link-card.tsx';

/** Shows an address for other people. */
export function LinkDialog({
  title,
  url,
  note,
  close,
}: {
  readonly title: string;
  readonly url: string;
  /** What the person should know about it. */
  readonly note?: string | undefined;
  readonly close: () => void;
}) {
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <SendButton url={url} />
          <Button kind="first" onClick={close}>
            {messages().common.close}
          </Button>
        </>
      }
    >
      {note !== undefined && <p class="note">{note}</p>}
      <LinkCard url={url} />
    </Dialog>
  );
}
