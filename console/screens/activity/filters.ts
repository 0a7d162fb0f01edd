import type { Activity, ListActivityData } from '#dist/modules/client/index.js';

import { shownPath } from '../../files/shown-name.ts';
import { plainName } from '../../ui/plain-text.ts';

/** Which entries are shown. An empty text does not restrict anything. */
export interface Filters {
  readonly type: string;
  readonly auth: string;
  /** The id of an API key. */
  readonly key: string;
  /** The beginning of a file's key. */
  readonly prefix: string;
  /** Days, as `2026-04-21`, in the time zone of the browser. */
  readonly from: string;
  readonly to: string;
}

export const noFilters: Filters = { type: '', auth: '', key: '', prefix: '', from: '', to: '' };

const names = Object.keys(noFilters) as Array<keyof Filters>;

/** Reads the filters of an address. */
export function filtersIn(query: URLSearchParams): Filters {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as unknown as Filters;
}

/** Returns the filters that are set, as an address has them. */
export function setFilters(filters: Filters): Partial<Record<keyof Filters, string>> {
  return Object.fromEntries(names.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]));
}

/** Returns the query of the server's list. Days begin and end in the time zone of the browser. */
export function queryOf(filters: Filters): NonNullable<ListActivityData['query']> {
  const { from, to, ...others } = setFilters(filters);
  const [first, last] = [midnight(from, 0), midnight(to, 1)];
  // The server checks the texts of an address.
  return { ...(others as object), ...(first && { from: first }), ...(last && { to: last }) };
}

/** Returns the instant at which a day begins, some days later. Undefined for what is no day. */
function midnight(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}

/** Returns the loaded entries that contain a text: a part of a file's id, a name, an address or a detail. */
export function thatContain(entries: readonly Activity[], text: string): readonly Activity[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? entries : entries.filter((entry) => textOf(entry).includes(wanted));
}

function textOf({ object, details, source_ip: ip, user_agent: agent, id }: Activity): string {
  return [object, ip, agent, id, ...Object.values(details).map(String)].join('\n').toLowerCase();
}

/** Returns what an entry is about, as it may be shown: a file by its name, or the name of a key. */
export function subjectOf({ object, details }: Activity): string {
  if (object !== undefined) return shownPath({ id: object, original_name: textOrNull(details.original_name) });
  const { name, key, title } = details;
  return plainName([name, title, key].find((value): value is string => typeof value === 'string') ?? '–');
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
