import { EventStream } from '#server/http/reply.ts';
import { isLive } from '#server/domain/access/api-key.ts';
import { placesFor } from '#server/domain/access/places.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { CorePorts } from './ports.ts';

interface OpenStreamsPorts extends Pick<CorePorts, 'metadata' | 'clock'> {
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** What a stream gets: when it ends, and whether its caller may go on reading. */
interface StreamTerms {
  readonly signal: AbortSignal;
  readonly mayGoOn: () => Promise<boolean>;
}

/** Streams of one account over this process. */
const mostStreams = 10;

/** Opens streams of server-sent events. It counts those of each account. */
export class OpenStreams {
  readonly #open = new Map<string, number>();
  readonly #ports: OpenStreamsPorts;

  constructor(ports: OpenStreamsPorts) {
    this.#ports = ports;
  }

  /**
   * @param begin returns the texts to send, or throws a refusal
   * @throws TOO_MANY_EVENT_STREAMS, and what `begin` throws
   */
  async open(
    { account, key, session }: Pick<Caller, 'account' | 'key' | 'session'>,
    disconnected: AbortSignal,
    begin: (terms: StreamTerms) => Promise<AsyncIterable<string>>,
  ): Promise<EventStream> {
    const { metadata, clock } = this.#ports;
    const { apiKeys } = metadata.read;
    const places = await placesFor({ apiKeys, now: clock.now() }, account.id, key.id, mostStreams);
    const count = this.#open.get(account.id) ?? 0;
    if (count >= places) throw new Refusal('TOO_MANY_EVENT_STREAMS');
    this.#open.set(account.id, count + 1);
    try {
      const signal = AbortSignal.any([disconnected, this.#ports.stopping]);
      const texts = await begin({ signal, mayGoOn: () => this.#mayGoOn(account.id, key.id, session?.id) });
      return new EventStream(this.#counted(account.id, texts));
    } catch (error) {
      this.#close(account.id);
      throw error;
    }
  }

  async *#counted(accountId: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* texts;
    } finally {
      this.#close(accountId);
    }
  }

  #close(accountId: string): void {
    const left = this.#open.get(accountId)! - 1;
    if (left === 0) this.#open.delete(accountId);
    else this.#open.set(accountId, left);
  }

  /** A key may be revoked, a session ended, and an account suspended, while a stream is open. */
  async #mayGoOn(accountId: string, keyId: string, sessionId: string | undefined): Promise<boolean> {
    const { metadata, clock } = this.#ports;
    if (sessionId !== undefined) {
      const sessions = await metadata.read.browserSessions.liveOf(accountId, clock.now());
      if (!sessions.some(({ id }) => id === sessionId)) return false;
    }
    const keys = await metadata.read.apiKeys.liveOf(accountId, clock.now());
    const isKeyLive = keys.some((key) => key.id === keyId && isLive(key, clock.now()));
    return isKeyLive && !(await metadata.read.accounts.isClosed(accountId));
  }
}
