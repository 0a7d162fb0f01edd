import type { Activity } from '#generated/client/index.js';

/** Which entries are shown. An empty text does not restrict anything. */
export interface Filters {
  readonly type: string;
  readonly auth: string;
  /** A part of a file's id, a name, an address or a detail. */
  readonly text: string;
  /** Days, as `2026-04-21`, in the time zone of the browser. */
  readonly from: string;
  readonly to: string;
}

export const noFilters: Filters = { type: '', auth: '', text: '', from: '', to: '' };

/** Returns the entries that fit all filters. */
export function thatFit(entries: readonly Activity[], { type, auth, text, from, to }: Filters): Activity[] {
  const wanted = text.trim().toLowerCase();
  const first = from === '' ? undefined : new Date(`${from}T00:00:00`).getTime();
  const last = to === '' ? undefined : new Date(`${to}T23:59:59.999`).getTime();
  return entries.filter((entry) => {
    const at = Date.parse(entry.at);
    return (
      (type === '' || entry.type === type) &&
      (auth === '' || entry.auth === auth) &&
      (first === undefined || at >= first) &&
      (last === undefined || at <= last) &&
      (wanted === '' || textOf(entry).includes(wanted))
    );
  });
}

function textOf({ object, details, source_ip: ip, user_agent: agent, id }: Activity): string {
  return [object, ip, agent, id, ...Object.values(details).map(String)].join('\n').toLowerCase();
}

/** Returns what an entry is about: a file, or the name of a key. */
export function subjectOf({ object, details }: Activity): string {
  if (object !== undefined) return object.replace(/^(pub|prv)\/\d+\//, '');
  const { name, key, title } = details;
  return [name, title, key].find((value): value is string => typeof value === 'string') ?? '–';
}
