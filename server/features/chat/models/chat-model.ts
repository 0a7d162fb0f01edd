import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatAnswer, ChatTurn } from '../conversation/conversation.ts';
import type { Emit } from '../conversation/handed-out.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** The request of a caller for which a model is called. */
export interface CallerRequest {
  /** Its id in the response and in the log. Servers get it as `X-Request-Id`. */
  readonly requestId: string;
  /** Called before each attempt at a server. Must not throw. */
  attempted(): void;
}

/** The reader of a streamed answer. */
export interface DeltaReader {
  readonly emit: Emit<ModelDelta>;
  /** See {@link ChatModel.complete}. */
  readonly onBegun?: () => void;
}

/** The model behind the name `cubic`. */
export interface ChatModel {
  /** Whether it is the built-in responder for development. Each answer then says so. */
  readonly isDevelopmentResponder: boolean;
  /**
   * Returns the model's answer to one turn. Retries the failures that may be retried, until `signal` is aborted. The
   * answer calls only functions in `turn.tools`, and the ids of its calls are new in the conversation.
   *
   * @param onBegun called when a model has begun to work on the turn, perhaps several times. The turn then costs
   *   something, even without an answer. It is not called when each server rejected the turn at once or was unreachable
   * @throws invalid_request when the model's server rejected the conversation
   * @throws context_length_exceeded when that server said that the conversation is too long
   * @throws {ToolsNotSupported} when that server said that it supports no functions
   * @throws {ChatModelUnavailable} when no server gave a readable answer in time
   */
  complete(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void, by?: CallerRequest): Promise<ChatAnswer>;
  /**
   * Streams the same answer, and resolves at its end. The next piece is read when `reader.emit` has resolved, and the
   * model stops when it rejects. Failures are retried until the first piece has come. The last piece is the `end`. An
   * answer that breaks off before rejects.
   *
   * @throws the errors of `complete`, also between two pieces, and those of `emit`
   */
  stream(turn: ChatTurn, signal: AbortSignal, reader: DeltaReader, by?: CallerRequest): Promise<void>;
  /** Begins its background work, if it has any. */
  begin?(): void;
  /** Stops its background work. */
  close(): Promise<void>;
}

/**
 * Thrown when a turn offers functions and the model supports none. A caller who sent functions gets this
 * invalid_request.
 */
export class ToolsNotSupported extends Refusal {
  constructor() {
    super('invalid_request', { message: 'The model takes no functions. Leave out tools and tool_choice.' });
    this.name = 'ToolsNotSupported';
  }
}

/**
 * Thrown when the model gave no answer. A retry may succeed. The message is for the log and has no contents of
 * requests.
 */
export class ChatModelUnavailable extends Error {
  /** What the client is told in place of the message of the code. */
  readonly clientMessage: string | undefined;

  constructor(message: string, clientMessage?: string) {
    super(message);
    this.name = 'ChatModelUnavailable';
    this.clientMessage = clientMessage;
  }
}
