import type { MessagesRequest, MessagesTool } from '#generated/types.ts';
import type { ChatMessage, ChatToolChoice } from '../../conversation/conversation.ts';
import type { FileTexts } from '../../file-texts/named-files.ts';
import type { Conversation } from '../chat-answer.ts';
import { distinctTools, functionName, OfferedTools } from '../chat-tools.ts';
import { LeftOut } from '../left-out.ts';
import { given } from '#server/handlers/given.ts';
import { joinedText, messagesOf } from './blocks.ts';

/**
 * Reads the conversation of a request in the form of the Messages API, and checks what a schema cannot.
 *
 * @throws invalid_body, multimodal_not_supported, invalid_tools, invalid_tool_choice
 */
export function messagesConversation(body: MessagesRequest, files: FileTexts): Conversation {
  const leftOut = new LeftOut();
  const { messages, places } = messagesOf(body.messages, leftOut, files);
  const text = body.system ? joinedText(body.system, 'system', leftOut, files) : '';
  const system: readonly ChatMessage[] = text === '' ? [] : [{ role: 'system', content: text }];
  const offered = offeredTools(body.tools ?? [], leftOut);
  const { tools } = offered;
  const { stop_sequences: stop, tool_choice: choice } = body;
  const format = body.output_config?.format ?? body.output_format;
  const isSingle = choice?.disable_parallel_tool_use;
  return {
    turn: {
      messages: [...system, ...messages],
      ...(tools.length > 0 && { tools, ...given({ parallelToolCalls: isSingle === true ? false : undefined }) }),
      ...given({
        toolChoice: choiceOf(choice, offered),
        maxOutputTokens: body.max_tokens,
        temperature: body.temperature,
        topP: body.top_p,
        stop: stop?.length === 0 ? undefined : stop,
        // This form has no name for a schema, and models need one.
        responseFormat: format && { type: format.type, name: 'output', schema: format.schema, strict: true },
        reasoningEffort: effortOf(body),
      }),
    },
    leftOut: leftOut.list,
    texts: {
      place: (index) => `messages[${places[index - system.length]}]`,
      rule: 'Each tool_result must answer a tool_use of the message before it, and ids must not repeat.',
    },
  };
}

/** Returns how long the model shall think, in a word that servers with chat completions know. */
function effortOf({ output_config: config, thinking }: MessagesRequest): string | undefined {
  if (thinking?.type === 'disabled') return undefined;
  const effort = config?.effort ?? undefined;
  if (effort !== undefined) return effort === 'max' || effort === 'xhigh' ? 'high' : effort;
  const budgetTokens = thinking?.type === 'enabled' ? thinking.budget_tokens : undefined;
  if (budgetTokens === undefined || budgetTokens === null) return undefined;
  if (budgetTokens < 4096) return 'low';
  return budgetTokens < 16_384 ? 'medium' : 'high';
}

/** Returns the functions. Leaves out tools that run elsewhere. */
function offeredTools(tools: readonly MessagesTool[], leftOut: LeftOut): OfferedTools {
  const isFunction = ({ type }: MessagesTool) => type === undefined || type === null || type === 'custom';
  const others = tools.filter((tool) => !isFunction(tool));
  for (const { type } of others) leftOut.add('tools', type);
  const functions = tools.flatMap((tool, index) => {
    if (!isFunction(tool)) return [];
    const { name, description, input_schema: parameters, strict } = tool;
    return [{ name: functionName(name, `tools[${index}]`), ...given({ description, parameters, strict }) }];
  });
  const message = 'tool_choice must name one of the functions in tools, and any needs at least one of them.';
  return new OfferedTools(distinctTools(functions), others, message);
}

function choiceOf(choice: MessagesRequest['tool_choice'], offered: OfferedTools): ChatToolChoice | undefined {
  if (!choice) return undefined;
  if (choice.type === 'any') return offered.possible('required');
  return choice.type === 'tool' ? offered.possible({ name: choice.name ?? '' }) : choice.type;
}
