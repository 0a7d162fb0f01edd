import type { Activity } from '#dist/modules/client/index.js';

import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { formatExactTime } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';

/** All that is known about one entry. */
export function EntryDialog({ entry, onClose }: { readonly entry: Activity; readonly onClose: () => void }) {
  const { activity } = messages();
  return (
    <Dialog title={activity.types[entry.type] ?? entry.type} onClose={onClose} isWide>
      <Facts
        rows={[
          [activity.at, formatExactTime(entry.at)],
          entry.object !== undefined && [activity.file, <code>{entry.object}</code>],
          [activity.by, activity.auths[entry.auth] ?? entry.auth],
          entry.key_id !== null && [
            activity.key,
            <a href={href(['activity'], { key: entry.key_id })} onClick={onClose}>
              <code>{entry.key_id}</code>
            </a>,
          ],
          [activity.address, entry.source_ip ?? activity.ofServer],
          [activity.program, entry.user_agent ?? '–'],
          [activity.entry, <code>{entry.id}</code>],
        ]}
      />
      {Object.keys(entry.details).length > 0 && (
        <pre class="entry-details" tabIndex={0}>
          {JSON.stringify(entry.details, null, 2)}
        </pre>
      )}
    </Dialog>
  );
}
