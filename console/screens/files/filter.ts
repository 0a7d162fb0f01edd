import { navigate, route } from '../../app/router.ts';
import type { Filter } from './load-page.ts';

export const kinds = [
  'image',
  'audio',
  'video',
  'pdf',
  'text',
  'document',
  'sheet',
  'slides',
  'archive',
  'other',
] as const;
const sorts = ['name', 'size', 'created'] as const;

/** Reads the order and the filters from the query of an address. Values that mean nothing are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  return {
    sort: sorts.find((sort) => sort === query.get('sort')) ?? 'name',
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    kind: kinds.find((kind) => kind === query.get('kind')),
    begins: query.get('begins') ?? '',
  };
}

/** Changes some values of the query, without a further step of the way back. */
export function changeQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(route.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  navigate(location.pathname + (search === '' ? '' : `?${search}`), { replace: true });
}

/** Sorts by a column: a second time in the other direction. */
export function sortBy(filter: Filter, sort: Filter['sort']): void {
  const order = filter.sort === sort ? (filter.order === 'asc' ? 'desc' : 'asc') : sort === 'name' ? 'asc' : 'desc';
  changeQuery({ sort: sort === 'name' ? undefined : sort, order: order === 'asc' ? undefined : order });
}
