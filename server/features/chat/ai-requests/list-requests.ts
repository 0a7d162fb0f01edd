import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { AiRequestEntry } from './requests-table.ts';

interface Deps {
  readonly metadata: Reads<'aiRequests'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Each filter that is left out takes all requests. */
interface AiRequestFilter {
  readonly keyId: string | undefined;
  readonly model: string | undefined;
  readonly outcome: string | undefined;
  /** The first instant, in milliseconds since the epoch. */
  readonly from: number | undefined;
  /** The first instant after the last. */
  readonly to: number | undefined;
}

interface ListAiRequests {
  readonly accountId: string;
  readonly filter: AiRequestFilter;
  /** Entries on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
  /** How long requests are kept. */
  readonly keptMs: number;
}

interface AiRequestPage {
  readonly entries: readonly AiRequestEntry[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

type Place = Pick<AiRequestEntry, 'at' | 'id'>;

/** The least number of entries that one step reads. Other requests run between steps. */
const minStepEntries = 100;

/** The most entries of one step, for a filter that finds little. */
const maxStepEntries = 1000;

/** The most entries that are read for one page. A page may be short if few of them are shown. */
const maxLookedAt = 10_000;

/**
 * Returns one page of an account's requests to models, newest first. Any page may have fewer entries than `limit`. Only
 * `next` shows whether it is the last.
 *
 * @throws invalid_query for a cursor that was not made for this list, and for a time range that ends before it begins
 */
export async function listAiRequests({ metadata, secrets, clock }: Deps, list: ListAiRequests): Promise<AiRequestPage> {
  const { accountId, filter, limit, cursor, keptMs } = list;
  const { from = -Infinity, to } = filter;
  if (to !== undefined && from >= to) throw new Refusal('invalid_query', { message: '`to` must be after `from`.' });
  let before = cursor === undefined ? { at: to ?? Number.MAX_SAFE_INTEGER, id: '' } : placeOf(secrets, list, cursor);
  const since = Math.max(from, clock.now() - keptMs);
  const entries: AiRequestEntry[] = [];
  // One entry more than fits shows whether another page follows.
  let wanted = Math.max(minStepEntries, limit + 1);
  for (let lookedAt = 0; lookedAt < maxLookedAt;) {
    const step = await metadata.read.aiRequests.scan({ accountId, before, limit: wanted });
    lookedAt += step.length;
    for (const entry of step) {
      if (entry.at < since) return { entries, next: undefined };
      if (!isShown(entry, filter)) continue;
      if (entries.length === limit) return { entries, next: cursorAt(secrets, list, entries.at(-1)!) };
      entries.push(entry);
    }
    if (step.length < wanted) return { entries, next: undefined };
    before = step.at(-1)!;
    wanted = maxStepEntries;
  }
  return { entries, next: cursorAt(secrets, list, before) };
}

function isShown(entry: AiRequestEntry, { keyId, model, outcome }: AiRequestFilter): boolean {
  return (
    (keyId === undefined || entry.keyId === keyId) &&
    (model === undefined || entry.model === model) &&
    (outcome === undefined || entry.outcome === outcome)
  );
}

const purpose = 'ai-requests-cursor';

function bindingOf({ accountId, filter: { keyId, model, outcome, from, to } }: ListAiRequests): readonly unknown[] {
  return [accountId, keyId ?? null, model ?? null, outcome ?? null, from ?? null, to ?? null];
}

function cursorAt(secrets: Pick<Secrets, 'sign'>, list: ListAiRequests, { at, id }: Place): string {
  return signCursor(secrets, purpose, `${at.toString(36)}-${id}`, bindingOf(list));
}

function placeOf(secrets: Pick<Secrets, 'verify'>, list: ListAiRequests, cursor: string): Place {
  try {
    const form = /^([0-9a-z]{1,11})-([0-9a-z]{1,64})$/;
    const [, at, id] = verifyCursor(secrets, purpose, cursor, { form, binding: bindingOf(list) });
    return { at: Number.parseInt(at!, 36), id: id! };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('invalid_query', {
      message: '`cursor` must be the continuationToken of the page before, sent with the same filters.',
    });
  }
}
