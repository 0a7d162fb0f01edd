import { confirmClock, type OperatorJobs } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Says that the clock has jumped, which stops automatic deletion until an operator confirms it. */
export function ClockNotice({
  jump,
  onDone,
}: {
  readonly jump: NonNullable<OperatorJobs['clock_jump']>;
  readonly onDone: () => void;
}) {
  const text = messages().overview;
  const question = () =>
    confirm({
      title: text.confirmClock,
      text: text.confirmClockText(new Date().toISOString()),
      action: text.confirmClock,
      run: async () => {
        await ask(confirmClock());
        toast(text.clockConfirmed);
        onDone();
      },
    });
  return (
    <div class="problem" role="alert">
      <p>
        {text.clockJumped(formatNumber(Math.round(jump.by_ms / 60_000)))} <Time at={jump.noticed_at} />
      </p>
      <Button onClick={() => void question()}>{text.confirmClock}</Button>
    </div>
  );
}
