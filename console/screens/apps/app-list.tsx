import type { App } from '#dist/modules/client/index.js';

import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Empty } from '../../ui/empty.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { appParts } from './app-parts.ts';

export function AppList({ apps }: { readonly apps: readonly App[] }) {
  const text = messages().apps;
  if (apps.length === 0)
    return (
      <Empty icon="rocket" title={text.noApps}>
        {text.noAppsHint}
      </Empty>
    );
  return (
    <>
      <Table<App>
        label={text.apps}
        rows={apps}
        keyOf={({ id }) => id}
        columns={[
          {
            title: text.app,
            cell: (app) => {
              const name = <bdi>{app.built_in ? text.builtIn : app.name}</bdi>;
              // Without the features that show something of it, its screen is empty.
              return appParts().length > 0 ? <a href={href(['deploys', app.id])}>{name}</a> : name;
            },
          },
          { title: text.appId, cell: ({ id }) => <code>{id}</code> },
          { title: text.created, cell: ({ created_at: at }) => <Time at={at} />, isExtra: true },
        ]}
      />
      {apps.every(({ built_in: isBuiltIn }) => isBuiltIn) && <p class="hint below">{text.noAppsHint}</p>}
    </>
  );
}
