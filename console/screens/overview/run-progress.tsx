import type { OperatorProgress } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatRelative, formatSize } from '../../format.ts';
import { Progress } from '../../ui/progress.tsx';

/** How far a backup or a scrub is. */
export function RunProgress({ label, progress }: { readonly label: string; readonly progress: OperatorProgress }) {
  const text = messages().overview;
  const { bytes, total_bytes: total, seconds_left: left } = progress;
  return (
    <div class="run-progress">
      <Progress label={label} share={total > 0 ? Math.min(1, bytes / total) : undefined} />
      <p class="hint">
        {text.done(formatSize(bytes), formatSize(total))}
        {left !== null && ` · ${text.ends(formatRelative(Date.now() + left * 1000))}`}
      </p>
    </div>
  );
}
