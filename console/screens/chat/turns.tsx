import { useState } from 'preact/hooks';

import type { ChatToolCall } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Turn } from './conversation.ts';

/** One message. What a model wrote is shown as text alone. */
export function ShownTurn({ turn: { role, text, calls } }: { readonly turn: Turn }) {
  const { chat, common } = messages();
  return (
    <article class={`turn ${role}`}>
      <header>
        {chat.roles[role]}
        {text !== '' && <IconButton icon="copy" label={common.copy} onClick={() => void copyText(text)} />}
      </header>
      {text !== '' && (
        <div class="turn-text" dir="auto">
          {text}
        </div>
      )}
      {calls.map((call) => (
        <div key={call.id} class="tool-call">
          <span>
            {chat.calls} <code>{call.function.name}</code>
          </span>
          <pre tabIndex={0}>{call.function.arguments}</pre>
        </div>
      ))}
    </article>
  );
}

/** Takes the results of the tools that the model has called. */
export function ToolResults({
  calls,
  onSend,
}: {
  readonly calls: readonly ChatToolCall[];
  readonly onSend: (results: readonly string[]) => void;
}) {
  const { chat } = messages();
  const [results, setResults] = useState<readonly string[]>(calls.map(() => ''));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend(results);
      }}
    >
      {calls.map(({ id, function: { name } }, at) => (
        <TextField
          key={id}
          label={chat.resultOf(name)}
          rows={2}
          value={results[at] ?? ''}
          onInput={({ currentTarget }) =>
            setResults((before) => before.map((result, place) => (place === at ? currentTarget.value : result)))
          }
        />
      ))}
      <Button kind="first" type="submit">
        {chat.sendResults}
      </Button>
    </form>
  );
}
