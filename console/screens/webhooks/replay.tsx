import { startWebhookReplay } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { dayBefore, localInput } from './local-input.ts';

/** Delivers one event again. */
export async function replayOne(id: string, event: string): Promise<void> {
  await send(startWebhookReplay({ path: { id }, body: { event } }));
  toast(messages().webhooks.willBeSent);
}

/** Asks for a time range and delivers its events again. */
export async function replayRange(id: string): Promise<void> {
  const text = messages().webhooks;
  const now = new Date();
  await openDialog<void>((close) => (
    <FieldsDialog
      title={text.replay}
      action={text.replay}
      close={close}
      run={async (fields) => {
        const [from, to] = ['from', 'to'].map((name) => new Date(textIn(fields, name)!).toISOString());
        await send(startWebhookReplay({ path: { id }, body: { from: from!, to: to! } }));
        toast(text.willBeSent);
      }}
    >
      <p class="hint">{text.replayHint}</p>
      <Field
        label={text.from}
        name="from"
        type="datetime-local"
        required
        autofocus
        defaultValue={localInput(dayBefore(now))}
      />
      <Field label={text.to} name="to" type="datetime-local" required defaultValue={localInput(now)} />
    </FieldsDialog>
  ));
}
