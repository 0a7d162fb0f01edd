import type { ChatTool, ChatToolChoice } from '#server/domain/chat/conversation.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Returns the functions. @throws invalid_tools when two have the same name */
export function distinctTools(tools: readonly ChatTool[]): readonly ChatTool[] {
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    throw new Refusal('invalid_tools', {
      message: 'Two functions in tools have the same name. Give each a name of its own.',
    });
  return tools;
}

/**
 * Returns the choice.
 *
 * @param words replace the message of the code
 * @throws invalid_tool_choice when it needs a function that is not among the tools
 */
export function possibleChoice<Choice extends ChatToolChoice | undefined>(
  choice: Choice,
  tools: readonly ChatTool[],
  words?: string,
): Choice {
  const isPossible =
    choice === 'required'
      ? tools.length > 0
      : typeof choice !== 'object' || tools.some(({ name }) => name === choice.name);
  if (!isPossible) throw new Refusal('invalid_tool_choice', words === undefined ? {} : { message: words });
  return choice;
}
