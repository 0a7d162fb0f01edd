import { getSettings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession, hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { DaysDialog } from './days-dialog.tsx';

/** Says for how many days the trash keeps what is deleted in the console, and changes them. */
export function ConsoleDays() {
  const { trash } = messages();
  const settings = useResource(async (signal) => ask(getSettings({ signal })), []);
  const days = settings.data?.keep_deleted_days;
  if (days === undefined) return null;
  // They are the whole account's.
  const mayChange = hasScope('blob:write') && accountSession().prefixes === null;
  const change = async () => {
    await openDialog<number>((close) => <DaysDialog days={days} close={close} />);
    settings.reload();
  };
  return (
    <p class="hint">
      {days === 0 ? trash.keptNone : trash.keptDays(formatNumber(days))}{' '}
      {mayChange && (
        <Button kind="quiet" onClick={() => void change()}>
          {trash.changeDays}
        </Button>
      )}
    </p>
  );
}
