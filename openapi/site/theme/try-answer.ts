import { h, type VNode } from 'vue';

/** What came back of a call. */
export interface Answer {
  readonly status: string;
  readonly milliseconds: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly text: string;
  /** An address of this tab at which bytes can be saved. */
  readonly download?: string;
}

const longestShown = 20_000;

/** Reads a response. A text is shown up to 20,000 characters, with the number of those left out, and other bytes can be saved. */
export async function answerOf(response: Response, milliseconds: number): Promise<Answer> {
  const type = response.headers.get('Content-Type') ?? '';
  const bytes = await response.blob();
  const shared = {
    status: `${response.status} ${response.statusText}`.trim(),
    milliseconds,
    headers: [...response.headers],
  };
  if (!/json|text|xml|yaml/.test(type) && bytes.size > 0)
    return { ...shared, text: `${bytes.size} bytes of ${type || 'no type'}`, download: URL.createObjectURL(bytes) };
  const text = await bytes.text();
  let pretty = text;
  if (type.includes('json')) {
    try {
      pretty = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Shown as it came.
    }
  }
  const rest = pretty.length - longestShown;
  return {
    ...shared,
    text: rest > 0 ? `${pretty.slice(0, longestShown)}\n… and ${rest} more characters` : pretty,
  };
}

/** Shows an answer with its headers. */
export function answerView({ status, milliseconds, headers, text, download }: Answer): VNode {
  return h('div', [
    h('p', [h('strong', status), `, ${milliseconds} ms`]),
    h('details', [
      h('summary', `${headers.length} headers`),
      h('pre', { tabindex: 0 }, h('code', headers.map(([name, value]) => `${name}: ${value}`).join('\n'))),
    ]),
    download
      ? h('p', h('a', { href: download, download: '' }, `Save ${text}`))
      : h('pre', { tabindex: 0 }, h('code', text)),
  ]);
}
