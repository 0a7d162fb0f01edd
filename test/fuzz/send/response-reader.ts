/** A response as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. When a name comes twice, the values are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each `Set-Cookie`. */
  readonly cookies: readonly string[];
  readonly body: Buffer;
  /** Whether the server says that it closes the connection. */
  readonly closes: boolean;
  /** Whether the response says where its body ends. */
  readonly isFramed: boolean;
}

interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads one response, stricter than clients do. */
export class ResponseReader {
  readonly #method: string;
  readonly #mayHaveMore: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  answer: RawAnswer | undefined;
  /** Why the bytes are not a response as RFC 9112 wants it. */
  flaw: string | undefined;

  /** @param mayHaveMore whether other responses may follow */
  constructor(method: string, mayHaveMore: boolean) {
    this.#method = method;
    this.#mayHaveMore = mayHaveMore;
  }

  get hasBegun(): boolean {
    return this.#head !== undefined || this.#bytes.length > 0;
  }

  read(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    while (!this.#head) {
      const end = this.#bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#readHead(this.#bytes.toString('latin1', 0, end));
      if (!head) return;
      this.#bytes = this.#bytes.subarray(end + 4);
      // "A client MUST be able to parse one or more 1xx responses" (RFC 9110 section 15.2).
      if (head.status >= 200) this.#head = head;
    }
    this.#readBody(this.#head, false);
  }

  /** The server has closed its side. */
  end(): void {
    if (this.#head && !this.answer) this.#readBody(this.#head, true);
  }

  #readHead(text: string): Head | undefined {
    const [first = '', ...lines] = text.split('\r\n');
    const status = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/.exec(first)?.[1];
    if (status === undefined) return this.#fail(`The status line is ${JSON.stringify(first.slice(0, 100))}`);
    const headers: Record<string, string> = {};
    const cookies: string[] = [];
    for (const line of lines) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
      if (!token.test(name) || !fieldValue.test(value)) return this.#fail(`A header is ${JSON.stringify(line)}`);
      const key = name.toLowerCase();
      if (key === 'set-cookie') cookies.push(value);
      else if (key in headers && ['content-length', 'content-type', 'etag', 'location'].includes(key))
        return this.#fail(`${name} comes twice`);
      else headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
    }
    if ('content-length' in headers && 'transfer-encoding' in headers)
      return this.#fail('It has a length and an encoding');
    return { status: Number(status), headers, cookies };
  }

  #readBody(head: Head, isEnd: boolean): void {
    const { status, headers } = head;
    if (this.#method === 'HEAD' || status === 204 || status === 304) {
      if (this.#bytes.length > 0 && !this.#mayHaveMore)
        return void this.#fail(`A ${status} to ${this.#method} has a body`);
      return this.#done(head, Buffer.alloc(0), true);
    }
    const length = headers['content-length'];
    if (length !== undefined) {
      if (!/^\d+$/.test(length)) return void this.#fail(`Content-Length is ${length}`);
      const rest = this.#bytes.length - Number(length);
      if (rest > 0 && !this.#mayHaveMore) return void this.#fail('There are bytes after the response');
      if (rest >= 0) return this.#done(head, this.#bytes.subarray(0, Number(length)), true);
    } else if (headers['transfer-encoding'] === 'chunked') {
      const body = this.#unchunk();
      if (body) return this.#done(head, body, true);
    } else if (isEnd) return this.#done(head, this.#bytes, false);
  }

  /** Returns the body once its last chunk is there. */
  #unchunk(): Buffer | undefined {
    const pieces: Buffer[] = [];
    for (let at = 0; ;) {
      const lineEnd = this.#bytes.indexOf('\r\n', at);
      if (lineEnd < 0) return undefined;
      const line = this.#bytes.toString('latin1', at, lineEnd);
      if (!/^[0-9a-fA-F]+$/.test(line)) return this.#fail(`A chunk begins with ${JSON.stringify(line.slice(0, 50))}`);
      const size = Number.parseInt(line, 16);
      if (this.#bytes.length < lineEnd + size + 4) return undefined;
      if (size === 0) return Buffer.concat(pieces);
      pieces.push(this.#bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
      at = lineEnd + 2 + size + 2;
    }
  }

  #done({ status, headers, cookies }: Head, body: Buffer, isFramed: boolean): void {
    const closes = /\bclose\b/i.test(headers.connection ?? '');
    this.answer = { status, headers, cookies, body, closes, isFramed };
  }

  #fail(flaw: string): undefined {
    this.flaw = flaw;
    return undefined;
  }
}
