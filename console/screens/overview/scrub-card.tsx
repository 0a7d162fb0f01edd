import { startScrub, type OperatorScrub } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { RunProgress } from './run-progress.tsx';

/** The scrub: how far it is, what it found, and a button that starts a round at once. */
export function ScrubCard({ scrub, onStart }: { readonly scrub: OperatorScrub; readonly onStart: () => void }) {
  const text = messages().overview;
  const { round } = scrub;
  const isRunning = round !== null && round.ended_at === null;
  const start = async () => {
    await ask(startScrub());
    toast(text.scrubStarted);
    onStart();
  };
  return (
    <section class="card">
      <h2>{text.scrub}</h2>
      <p class="hint">{text.scrubHint}</p>
      {isRunning && <RunProgress label={text.scrub} progress={round.progress} />}
      <Facts
        rows={[
          [text.rhythm, scrub.days === null ? text.off : text.everyDays(formatNumber(scrub.days))],
          [
            text.damaged,
            <span class={scrub.damaged_files > 0 ? 'problem-text' : ''}>{formatNumber(scrub.damaged_files)}</span>,
          ],
          [text.roundStarted, round && <Time at={round.started_at} />],
          [text.roundEnded, round?.ended_at && <Time at={round.ended_at} />],
        ]}
      />
      <div class="actions">
        <ActionButton icon="play" run={start} disabled={isRunning && round.requested}>
          {text.startScrub}
        </ActionButton>
      </div>
    </section>
  );
}
