import { encodeKey } from '#test/s3/signed-request.ts';
import { textsOf } from '#test/s3/exchange.ts';
import type { Doors } from './doors.ts';
import type { FuzzRequest } from './draft.ts';
import type { Step } from './episode.ts';
import type { Found } from './fuzz-run.ts';
import { problemsOf } from './judge/judge.ts';
import { percent } from './make/compose.ts';
import type { RawAnswer } from './send/response-reader.ts';

/** Requests that once had a wrong response. In their texts, `{{2:/response/id}}` is a value of the response to step 2. */
export interface SavedCase {
  readonly found: string;
  readonly steps: readonly FuzzRequest[];
}

/** Shorter values could be in a request by chance. */
const leastLength = 8;

const forms: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => text,
  '|percent': percent,
  '|key': encodeKey,
};

/** Returns the values of a response that a later request can contain, by a name that the same response has again. */
function valuesOf(answer: RawAnswer | undefined): Map<string, string> {
  const values = new Map<string, string>();
  if (!answer) return values;
  const text = answer.body.toString();
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value.length < leastLength) return;
    values.set(name, value);
    if (URL.canParse(value)) values.set(`${name}#target`, new URL(value).pathname + new URL(value).search);
  };
  const walk = (value: unknown, at: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, `${at}/${key}`);
    else add(at, value);
  };
  if (answer.headers['content-type']?.startsWith('application/json')) {
    try {
      walk(JSON.parse(text), '');
    } catch {
      // It names nothing.
    }
  }
  add('etag', answer.headers.etag);
  for (const line of answer.cookies) add(`cookie:${line.split('=', 1)[0]}`, /^[^=]+=([^;]*)/.exec(line)?.[1]);
  add('form_token', /name="form_token" value="([^"]*)"/.exec(text)?.[1]);
  for (const name of ['UploadId', 'ETag']) add(`xml:${name}`, textsOf(text, name)[0]);
  return values;
}

/** Returns a case of a found problem: its request, and all earlier ones whose responses it needs. */
export function caseOf({ step, before }: Found, operatorKey: string): SavedCase {
  const needed = new Set<number>([step.number]);
  const all: Step[] = [...before, step];
  const values = all.map(({ heard }) => valuesOf(heard.answer));
  const texts = new Map<number, string>();
  for (const number of all.map((_, at) => at).reverse()) {
    if (!needed.has(number)) continue;
    let text = JSON.stringify(all[number]!.request).replaceAll(operatorKey, '{{operator}}');
    // A later response repeats values of earlier ones, so the first one that has a value made it.
    for (const [from, own] of values.slice(0, number).entries())
      for (const [name, value] of own)
        for (const [form, write] of Object.entries(forms)) {
          const written = JSON.stringify(write(value)).slice(1, -1);
          if (!text.includes(written)) continue;
          text = text.replaceAll(written, `{{${from}:${name}${form}}}`);
          needed.add(from);
        }
    texts.set(number, text);
  }
  const order = [...needed].toSorted((a, b) => a - b);
  const renumbered = order.map((number) =>
    texts.get(number)!.replace(/\{\{(\d+):/g, (_, from: string) => `{{${order.indexOf(Number(from))}:`),
  );
  return { found: step.problems.join(' '), steps: renumbered.map((text) => JSON.parse(text) as FuzzRequest) };
}

/** Sends a case again. Returns what is wrong with its responses. */
export async function replay({ steps }: SavedCase, doors: Doors, operatorKey: string): Promise<string[]> {
  const answers: Array<Map<string, string>> = [];
  const problems: string[] = [];
  for (const [number, step] of steps.entries()) {
    const text = JSON.stringify(step)
      .replaceAll('{{operator}}', operatorKey)
      .replace(/\{\{(\d+):(.+?)(\|\w+)?\}\}/g, (_, from: string, name: string, form = '') => {
        const value = answers[Number(from)]?.get(name) ?? 'missing';
        return JSON.stringify(forms[form]!(value)).slice(1, -1);
      });
    const request = JSON.parse(text) as FuzzRequest;
    const heard = await doors.send(request);
    answers.push(valuesOf(heard.answer));
    problems.push(...problemsOf(request, heard).map((problem) => `Step ${number}: ${problem}`));
  }
  return problems;
}
