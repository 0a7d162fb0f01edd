import type { ChatAnswer, ChatTurn } from './conversation.ts';
import { Refusal } from '../refusal.ts';

/** Whatever stands behind the model name `cubic`. */
export interface ChatModel {
  /** Whether it is the built-in responder for development, which every answer then says. */
  readonly isDevelopmentResponder: boolean;
  /**
   * Answers one turn; tries again by itself what may be tried again, until `signal` is aborted. Calls are of functions
   * in
   * `turn.tools` alone, and their ids name no other call of the conversation.
   *
   * @param onBegun called once a model has begun to work on the turn, perhaps several times: the turn then costs
   *   something, even
   *   where no answer comes. Not called where each server refused it at once or could not be reached.
   * @throws invalid_request when the model's server refused the conversation, context_length_exceeded when that said
   *   that it is too long
   * @throws {ToolsNotSupported} when that said that it takes no functions
   * @throws {ChatModelUnavailable} when no answer came: nothing there, over its capacity, broken, too slow, unreadable
   */
  complete(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void): Promise<ChatAnswer>;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

/**
 * The model takes no functions, and the turn offered some. To a caller who sent them it is an invalid_request like
 * others.
 */
export class ToolsNotSupported extends Refusal {
  constructor() {
    super('invalid_request', { message: 'The model takes no functions. Leave out tools and tool_choice.' });
    this.name = 'ToolsNotSupported';
  }
}

/** No answer came from the model; another try may bring one. Its words are for the log and name no contents. */
export class ChatModelUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ChatModelUnavailable';
  }
}
