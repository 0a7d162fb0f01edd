import { listObjects, type ObjectEntry } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href } from '../../app/router.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatSize } from '../../format.ts';
import { keyOf } from '../../files/object-id.ts';
import { shownPath } from '../../files/shown-name.ts';
import { plainName } from '../../ui/plain-text.ts';
import { Listed } from '../../ui/listed.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** What is in the folder of a request, newest first. */
export function ReceivedFiles({ prefix, seen }: { readonly prefix: string; readonly seen: number }) {
  const { fileRequests } = messages();
  const pages = usePages<ObjectEntry>(
    async (after, signal) => {
      const query = {
        prefix: `${prefix}/`,
        private: true,
        sort: 'created' as const,
        order: 'desc' as const,
        fields: 'original_name',
        limit: 50,
        ...after,
      };
      const page = await ask(listObjects({ query, signal }));
      return { items: page.objects, next: page.continuationToken };
    },
    [prefix, seen],
  );
  return (
    <>
      <p class="hint received-hint">
        {fileRequests.filesHint}{' '}
        <a href={href(['files', 'private', ...prefix.split('/')])}>{fileRequests.openFolder}</a>
      </p>
      <Listed pages={pages} empty={<p class="quiet">{fileRequests.filesNone}</p>}>
        {(rows) => (
          <Table
            label={fileRequests.files}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: fileRequests.file,
                cell: (file) => (
                  <bdi dir="auto" title={plainName(keyOf(file.id))}>
                    {shownPath(file).slice(prefix.length + 1)}
                  </bdi>
                ),
              },
              { title: fileRequests.size, isNumber: true, cell: ({ size }) => formatSize(size) },
              { title: fileRequests.arrived, cell: ({ created_at: at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Listed>
    </>
  );
}
