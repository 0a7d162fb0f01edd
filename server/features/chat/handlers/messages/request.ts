import type { MessagesRequest, MessagesTool } from '#generated/types.ts';
import type { ChatMessage, ChatTool, ChatToolChoice } from '../../conversation/conversation.ts';
import type { Conversation } from '../chat-answer.ts';
import { distinctTools, functionName, possibleChoice } from '../chat-tools.ts';
import { given } from '#server/handlers/given.ts';
import { joinedText, messagesOf } from './blocks.ts';

/**
 * Reads the conversation of a request in the form of the Messages API, and checks what a schema cannot.
 *
 * @throws invalid_body, multimodal_not_supported, invalid_tools, invalid_tool_choice
 */
export function messagesConversation(body: MessagesRequest): Conversation {
  const { messages, places } = messagesOf(body.messages);
  const text = body.system ? joinedText(body.system, 'system') : '';
  const system: readonly ChatMessage[] = text === '' ? [] : [{ role: 'system', content: text }];
  const tools = distinctTools((body.tools ?? []).flatMap(toolsOf));
  const { stop_sequences: stop, tool_choice: choice } = body;
  const isSingle = choice?.disable_parallel_tool_use;
  return {
    turn: {
      messages: [...system, ...messages],
      ...(tools.length > 0 && { tools, ...given({ parallelToolCalls: isSingle === true ? false : undefined }) }),
      ...given({
        toolChoice: choiceOf(choice, tools),
        maxOutputTokens: body.max_tokens,
        temperature: body.temperature,
        topP: body.top_p,
        stop: stop?.length === 0 ? undefined : stop,
      }),
    },
    texts: {
      place: (index) => `messages[${places[index - system.length]}]`,
      rule: 'Each tool_result must answer a tool_use of the message before it, and ids must not repeat.',
    },
  };
}

/** Returns the function that a tool is. Leaves out tools that run elsewhere. */
function toolsOf(tool: MessagesTool, index: number): readonly ChatTool[] {
  const { type, name, description, input_schema: parameters, strict } = tool;
  if (type !== undefined && type !== null && type !== 'custom') return [];
  return [{ name: functionName(name, `tools[${index}]`), ...given({ description, parameters, strict }) }];
}

function choiceOf(choice: MessagesRequest['tool_choice'], tools: readonly ChatTool[]): ChatToolChoice | undefined {
  if (!choice) return undefined;
  const message = 'tool_choice must name one of the functions in tools, and any needs at least one of them.';
  if (choice.type === 'any') return possibleChoice('required', tools, message);
  return choice.type === 'tool' ? possibleChoice({ name: choice.name ?? '' }, tools, message) : choice.type;
}
