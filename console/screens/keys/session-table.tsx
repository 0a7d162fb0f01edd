import { revokeSession, type ApiKey, type ListedSession } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { browserName } from './browser-name.ts';

/** The browsers that are signed in. */
export function SessionTable({
  sessions,
  keys,
  onChange,
}: {
  readonly sessions: readonly ListedSession[];
  readonly keys: readonly ApiKey[];
  readonly onChange: () => void;
}) {
  const { keys: text } = messages();
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const nameOf = ({ user_agent: agent }: ListedSession) => (agent === null ? text.unknownBrowser : browserName(agent));
  const end = async (session: ListedSession) => {
    const isDone = await confirm({
      title: text.endTitle(nameOf(session)),
      text: session.current ? text.endOwnText : text.endText,
      action: text.end,
      run: async () => void (await send(revokeSession({ path: { id: session.id } }))),
    });
    if (!isDone) return;
    toast(text.ended);
    onChange();
  };
  if (sessions.length === 0) return <Empty icon="globe" title={text.noSessions} />;
  return (
    <Table
      label={text.sessions}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          title: text.browser,
          cell: (session) => (
            <span class="key-name" title={session.user_agent ?? undefined}>
              {nameOf(session)} {session.current && <span class="badge good">{text.thisBrowser}</span>}
            </span>
          ),
        },
        { title: text.address, cell: ({ source_ip: ip }) => ip },
        { title: text.signedInWith, cell: ({ key_id: id }) => <span dir="auto">{names.get(id) ?? id}</span> },
        { title: text.lastUsed, cell: ({ last_used_at: at }) => <Time at={at} isRelative /> },
        { title: text.ends, cell: ({ expires_at: at }) => <Time at={at} /> },
        { title: text.since, isExtra: true, cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
      actions={(session) => (
        <Button kind="quiet" aria-label={text.endTitle(nameOf(session))} onClick={() => void end(session)}>
          {text.end}
        </Button>
      )}
    />
  );
}
