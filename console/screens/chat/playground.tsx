import { useState } from 'preact/hooks';

import { listModels } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { config } from '../../app/config.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatRelative } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Answer } from './ask-model.ts';
import { firstSettings, mistakesOf, type Settings, type Turn } from './conversation.ts';
import { AiLimits } from './limits.tsx';
import { AiProblem } from './problem.tsx';
import { SettingsOfModel } from './settings.tsx';
import { ShownTurn, ToolResults } from './turns.tsx';
import { useTalk, type Talk } from './use-talk.ts';

/** A conversation with a model, with everything that was sent and came back. */
export function Playground() {
  const { chat, common } = messages();
  const models = useResource((signal) => send(listModels({ signal })), []);
  const [settings, setSettings] = useState<Settings>({ ...firstSettings, stream: config().streaming });
  const talk = useTalk(settings);
  const mistakes = mistakesOf(settings);
  return (
    <>
      <div class="ai-try">
        <Conversation talk={talk} hasMistakes={Object.keys(mistakes).length > 0} />
        <SettingsOfModel
          settings={settings}
          mistakes={mistakes}
          models={models.data?.data.map(({ id }) => id) ?? []}
          onChange={setSettings}
        />
      </div>
      {models.error !== undefined && <AiProblem error={models.error} onRetry={models.reload} />}
      <section class="card usage-ai" aria-labelledby="ai-limits">
        <h2 id="ai-limits">{chat.limits}</h2>
        <p class="hint">{chat.limitsLead}</p>
        <AiLimits turn={talk.round} />
      </section>
      <span class="visually-hidden" role="status">
        {talk.running !== undefined && common.loading}
      </span>
    </>
  );
}

/** JSON as it was sent. Nothing in it is run or followed. */
function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <details class="raw">
      <summary>{title}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}

function Conversation({ talk, hasMistakes }: { readonly talk: Talk; readonly hasMistakes: boolean }) {
  const { chat } = messages();
  const { turns, running, answer, request, error } = talk;
  const [text, setText] = useState('');
  const last = turns.at(-1);
  const open = last?.role === 'assistant' ? last.calls : [];
  return (
    <section class="card ai-talk" aria-label={chat.conversation}>
      {turns.length === 0 && running === undefined && (
        <Empty icon="spark" title={chat.emptyTitle}>
          <p>{chat.emptyLead}</p>
        </Empty>
      )}
      {turns.map((turn, at) => (
        <ShownTurn key={at} turn={turn} />
      ))}
      {running !== undefined && (
        <>
          <ShownTurn turn={{ role: 'assistant', text: running.text || chat.waiting, calls: running.calls }} />
          <Button onClick={talk.stop}>{chat.stop}</Button>
        </>
      )}
      {error !== undefined && (
        <AiProblem error={error} {...(last && last.role !== 'assistant' && { onRetry: () => talk.run(turns) })} />
      )}
      {answer && <Charged answer={answer} />}
      {open.length > 0 && running === undefined ? (
        <ToolResults
          calls={open}
          onSend={(results) =>
            talk.run([
              ...turns,
              ...open.map(({ id }, at): Turn => ({ role: 'tool', text: results[at] ?? '', calls: [], callId: id })),
            ])
          }
        />
      ) : (
        <Message talk={talk} hasMistakes={hasMistakes} text={text} onText={setText} />
      )}
      {request !== undefined && <Raw title={chat.rawRequest} value={request} />}
      {answer && <Raw title={chat.rawAnswer} value={answer.raw} />}
    </section>
  );
}

/** What the last answer has used, and what is left. */
function Charged({ answer: { heard, limits } }: { readonly answer: Answer }) {
  const { chat } = messages();
  const { usage } = heard;
  return (
    <p class="hint charged" role="status">
      {usage && (
        <span>
          {chat.charged(
            formatNumber(usage.prompt_tokens),
            formatNumber(usage.completion_tokens),
            formatNumber(usage.total_tokens),
          )}
        </span>
      )}
      {heard.finishReason === 'length' && <span>{chat.cutOff}</span>}
      {limits.map(({ name, left, resetSeconds }) => (
        <span key={name}>
          <code>{name}</code> {chat.left(formatNumber(left), formatRelative(Date.now() + resetSeconds * 1000))}
        </span>
      ))}
    </p>
  );
}

/** The field for the next message. */
function Message({
  talk,
  hasMistakes,
  text,
  onText,
}: {
  readonly talk: Talk;
  readonly hasMistakes: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const { chat } = messages();
  const { turns, running } = talk;
  const canSend = running === undefined && !hasMistakes;
  const submit = () => {
    if (!canSend || text.trim() === '') return;
    onText('');
    talk.run([...turns, { role: 'user', text, calls: [] }]);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={chat.message}
        hint={chat.messageHint}
        value={text}
        rows={3}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div class="actions">
        <Button kind="first" type="submit" isBusy={running !== undefined} disabled={!canSend}>
          {chat.send}
        </Button>
        {turns.length > 0 && running === undefined && <Button onClick={talk.clear}>{chat.startAnew}</Button>}
      </div>
    </form>
  );
}
