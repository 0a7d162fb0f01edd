import { connect, type Socket } from 'node:net';

import { ResponseReader, type RawAnswer } from './response-reader.ts';

/** The time limit of a response. A busy machine may be slow. */
const patienceMs = 60_000;

/** What came back. `answer` is undefined if the connection ended without a response. */
export interface Heard {
  readonly answer: RawAnswer | undefined;
  /** Why the bytes are not a response as HTTP wants it. Undefined if they are. */
  readonly flaw?: string | undefined;
  readonly tookMs: number;
}

/** A connection to one door. It is opened when it is needed, and used again while the server keeps it open. */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  /** Responses over the current socket. */
  #answered = 0;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /** Sends a request and waits for its response. */
  async exchange(bytes: Buffer, method: string): Promise<Heard> {
    const isReused = this.#socket !== undefined && !this.#socket.destroyed && this.#answered > 0;
    const heard = await this.#once(bytes, method);
    // A server may close an idle connection just when a request is on its way.
    return isReused && !heard.answer && heard.flaw === 'reset' ? this.#once(bytes, method) : heard;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #once(bytes: Buffer, method: string): Promise<Heard> {
    const socket = this.#open();
    const heard = await hear(socket, bytes, method, { endsEarly: false, mayHaveMore: false });
    this.#answered++;
    const { answer } = heard;
    if (!answer || heard.flaw !== undefined || answer.closes || !answer.isFramed) this.close();
    return heard;
  }

  #open(): Socket {
    if (!this.#socket || this.#socket.destroyed || this.#socket.readableEnded) {
      this.#socket = connect(this.#port, '127.0.0.1').setNoDelay();
      this.#socket.on('error', () => {});
      this.#answered = 0;
    }
    return this.#socket;
  }
}

/** Sends bytes over a connection of their own. */
export async function exchangeOnce(url: string, bytes: Buffer, method: string, endsEarly: boolean): Promise<Heard> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
  socket.on('error', () => {});
  try {
    return await hear(socket, bytes, method, { endsEarly, mayHaveMore: true });
  } finally {
    socket.destroy();
  }
}

/**
 * @param options `endsEarly`: whether the client closes its side. `mayHaveMore`: whether more than one response may
 * come
 */
function hear(
  socket: Socket,
  bytes: Buffer,
  method: string,
  { endsEarly, mayHaveMore }: { readonly endsEarly: boolean; readonly mayHaveMore: boolean },
): Promise<Heard> {
  return new Promise((resolve) => {
    const reader = new ResponseReader(method, mayHaveMore);
    const startedAt = performance.now();
    const finish = (flaw?: string) => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ answer: reader.answer, flaw: flaw ?? reader.flaw, tookMs: performance.now() - startedAt });
    };
    const onData = (piece: Buffer) => {
      reader.read(piece);
      if (reader.answer || reader.flaw !== undefined) finish();
    };
    const onEnd = () => {
      reader.end();
      finish(reader.answer ? undefined : reader.hasBegun ? 'cut off' : 'reset');
    };
    const onClose = onEnd;
    const timer = setTimeout(() => finish('no response in time'), patienceMs);
    socket.on('data', onData).once('end', onEnd).once('close', onClose);
    if (endsEarly) socket.end(bytes);
    else socket.write(bytes);
  });
}
