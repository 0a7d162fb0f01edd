import { plainList } from '#server/features/files/listing/list-filters.ts';
import { listObjects, type ListObjects } from '#server/features/files/listing/list-objects.ts';
import type { ListPage } from '#server/features/files/listing/list-pages.ts';
import { plainPage, type PlainPage } from '#test/support/list-page.ts';

/** A list of everything, on one page. */
export const all: Omit<ListObjects, 'accountId'> = {
  prefix: '',
  isPrivate: undefined,
  delimiter: false,
  ...plainList,
  hasDetails: false,
  limit: 1000,
  cursor: undefined,
};

export function pageOf(deps: Parameters<typeof listObjects<PlainPage>>[0], command: ListObjects): Promise<PlainPage> {
  return listObjects(deps, command, plainPage);
}

export const files = (page: ListPage) => page.objects.map(({ space, key }) => `${space}:${key}`);
