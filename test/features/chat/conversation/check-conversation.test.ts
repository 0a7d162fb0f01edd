import { describe, expect, it } from 'vitest';

import { checkConversation } from '#server/features/chat/conversation/check-conversation.ts';
import type { ChatMessage } from '#server/features/chat/conversation/conversation.ts';
import { Refusal } from '#server/domain/refusal.ts';

const user: ChatMessage = { role: 'user', content: 'How large is it?' };
const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'find', arguments: '{}' })),
});
const result = (toolCallId: string): ChatMessage => ({ role: 'tool', content: '1', toolCallId });
const text: ChatMessage = { role: 'assistant', content: 'It is 1.' };

describe('checkConversation()', () => {
  it.each<[string, ChatMessage[]]>([
    ['plain talk', [{ role: 'system', content: 'Be brief.' }, user, text, user]],
    ['a message of the assistant as the last one', [user, text]],
    ['a call with its result', [user, calls('a'), result('a')]],
    ['results in another order than the calls', [user, calls('a', 'b'), result('b'), result('a'), text]],
    ['several rounds of calls', [user, calls('a'), result('a'), calls('b'), result('b')]],
  ])('accepts %s', (_, messages) => {
    expect(() => checkConversation(messages)).not.toThrow();
  });

  it.each<[string, ChatMessage[]]>([
    ['a tool message is the first', [result('a'), user]],
    ['it answers no call', [user, calls('a'), result('b')]],
    ['it answers a call twice', [user, calls('a'), result('a'), result('a')]],
    ['it answers a call of an earlier assistant message', [user, calls('a', 'b'), result('a'), text, result('b')]],
    ['it answers after something else was said', [user, calls('a'), user, result('a')]],
    ['a call has no answer before the next message', [user, calls('a', 'b'), result('a'), user]],
    ['a call has no answer at the end', [user, calls('a')]],
    ['two calls of a message have one id', [user, calls('a', 'a'), result('a'), result('a')]],
    ['a later call repeats an id', [user, calls('a'), result('a'), calls('a'), result('a')]],
  ])('throws invalid_request when %s', (_, messages) => {
    expect(() => checkConversation(messages)).toThrow(
      expect.objectContaining({ constructor: Refusal, code: 'invalid_request' }),
    );
  });
});
