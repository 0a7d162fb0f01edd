import type { ReplyHeaders } from '#server/http/reply.ts';

/** The part of a request in which something was left out. */
type Part = 'tools' | 'input' | 'messages' | 'system';

/** Beyond this length the rest is only counted. */
const longestText = 512;

/** Types of elements, as all protocols name them. A client may send any other text. */
const names = /^[A-Za-z0-9_.-]{1,64}$/;

/** Collects the elements of one request that the gateway cannot use, and so leaves out. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(part: Part, type: string | null | undefined): void {
    const name = `${part}.${type && names.test(type) ? type : 'other'}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /**
   * Returns a list for a header, such as `tools.mcp, input.reasoning;n=2`. It has no text of the client but types.
   * Undefined if nothing was left out.
   *
   * @see https://www.rfc-editor.org/rfc/rfc9651
   */
  get list(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    let list = '';
    let uncounted = 0;
    for (const [name, count] of this.#counts) {
      const item = `${list === '' ? '' : ', '}${name}${count > 1 ? `;n=${count}` : ''}`;
      if (list.length + item.length > longestText) uncounted += count;
      else list += item;
    }
    return uncounted > 0 ? `${list}, more;n=${uncounted}` : list;
  }
}

/** Returns the headers that say what was left out. There are none for nothing. */
export function ignoredHeaders(list: string | undefined): { readonly headers?: ReplyHeaders } {
  return list === undefined ? {} : { headers: { 'X-Cubby-Ignored': list } };
}
