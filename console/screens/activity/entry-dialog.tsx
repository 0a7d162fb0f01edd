import type { Activity } from '#dist/modules/client/index.js';

import { href } from '../../app/router.ts';
import { words } from '../../app/words.ts';
import { formatExactTime } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** All that is known about one entry. */
export function EntryDialog({ entry, onClose }: { readonly entry: Activity; readonly onClose: () => void }) {
  const { activity } = words();
  return (
    <Dialog title={activity.types[entry.type] ?? entry.type} onClose={onClose} isWide>
      <dl class="facts">
        <dt>{activity.at}</dt>
        <dd>{formatExactTime(entry.at)}</dd>
        {entry.object !== undefined && (
          <>
            <dt>{activity.file}</dt>
            <dd>
              <code>{entry.object}</code>
            </dd>
          </>
        )}
        <dt>{activity.by}</dt>
        <dd>{activity.auths[entry.auth] ?? entry.auth}</dd>
        {entry.key_id !== null && (
          <>
            <dt>{activity.key}</dt>
            <dd>
              <a href={href(['activity'], { key: entry.key_id })} onClick={onClose}>
                <code>{entry.key_id}</code>
              </a>
            </dd>
          </>
        )}
        <dt>{activity.address}</dt>
        <dd>{entry.source_ip ?? activity.ofServer}</dd>
        <dt>{activity.program}</dt>
        <dd>{entry.user_agent ?? '–'}</dd>
        <dt>{activity.entry}</dt>
        <dd>
          <code>{entry.id}</code>
        </dd>
      </dl>
      {Object.keys(entry.details).length > 0 && (
        <pre class="entry-details" tabIndex={0}>
          {JSON.stringify(entry.details, null, 2)}
        </pre>
      )}
    </Dialog>
  );
}
