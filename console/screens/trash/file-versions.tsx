import { getObjectInfo } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { href } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatSize } from '../../format.ts';
import { keyOf } from '../../files/object-id.ts';
import { shownPath } from '../../files/shown-name.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Time } from '../../ui/time.tsx';
import { useVersions } from './use-versions.ts';
import { VersionList } from './version-list.tsx';

/** The versions of one file: the present one, and those in the trash. */
export function FileVersions({ id }: { readonly id: string }) {
  const { trash } = messages();
  const pages = useVersions(keyOf(id), id);
  const present = useResource(
    async (signal) => {
      try {
        return { info: await ask(getObjectInfo({ query: { object: id }, signal })) };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return { info: undefined };
        throw error;
      }
    },
    [id],
  );
  const reload = () => {
    pages.reload();
    present.reload();
  };
  return (
    <Screen
      title={<bdi dir="auto">{shownPath(present.data?.info ?? pages.items?.[0] ?? { id })}</bdi>}
      lead={
        <>
          {trash.versionsLead} <a href={href(['trash'])}>{trash.toTrash}</a>
        </>
      }
    >
      <section class="card present">
        <h2>{trash.now}</h2>
        <Loaded resource={present} lines={1}>
          {({ info }) =>
            info ? (
              <p>
                {formatSize(info.size)}, {trash.written.toLowerCase()} <Time at={info.created_at} />
              </p>
            ) : (
              <p class="quiet">{trash.nowNone}</p>
            )
          }
        </Loaded>
      </section>
      {pages.items?.length === 0 && !pages.hasMore ? (
        <Empty icon="clock" title={trash.versionsNone} />
      ) : (
        <VersionList pages={pages} isOfOneFile onChange={reload} />
      )}
    </Screen>
  );
}
