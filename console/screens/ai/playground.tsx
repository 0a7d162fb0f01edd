import { useEffect, useRef, useState } from 'preact/hooks';

import { listModels } from '#dist/modules/client/index.js';

import { send } from '../../app/api.ts';
import { isAborted } from '../../app/api-error.ts';
import { config } from '../../app/config.ts';
import { useResource } from '../../app/use-resource.ts';
import { words } from '../../app/words.ts';
import { formatNumber, formatRelative } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { askModel, type Answer } from './ask-model.ts';
import { firstSettings, mistakesOf, requestOf, type Settings, type Turn } from './conversation.ts';
import { AiLimits } from './limits.tsx';
import { AiProblem } from './problem.tsx';
import { SettingsOfModel } from './settings.tsx';
import { silence, type Heard } from './stream.ts';
import { ShownTurn, ToolResults } from './turns.tsx';

/** A conversation with a model, with everything that was sent and came back. */
export function Playground() {
  const { ai, common } = words();
  const models = useResource((signal) => send(listModels({ signal })), []);
  const [settings, setSettings] = useState<Settings>({ ...firstSettings, stream: config().streaming });
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [text, setText] = useState('');
  const [running, setRunning] = useState<Heard>();
  const [answer, setAnswer] = useState<Answer>();
  const [request, setRequest] = useState<unknown>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const mistakes = mistakesOf(settings);
  const canSend = running === undefined && Object.keys(mistakes).length === 0;
  const run = async (asked: readonly Turn[]) => {
    const own = (control.current = new AbortController());
    const body = requestOf(settings, asked);
    setTurns(asked);
    setRequest(body);
    setAnswer(undefined);
    setError(undefined);
    setRunning(silence);
    try {
      const got = await askModel(body, own.signal, setRunning);
      setAnswer(got);
      setTurns([...asked, { role: 'assistant', text: got.heard.text, calls: got.heard.calls }]);
    } catch (failure) {
      if (!isAborted(failure)) setError(failure);
    }
    setRunning(undefined);
    setRound((before) => before + 1);
  };
  const submit = () => {
    if (!canSend || text.trim() === '') return;
    setText('');
    void run([...turns, { role: 'user', text, calls: [] }]);
  };
  const last = turns.at(-1);
  const open = last?.role === 'assistant' ? last.calls : [];
  const usage = answer?.heard.usage;
  return (
    <>
      <div class="ai-try">
        <section class="card ai-talk" aria-label={ai.conversation}>
          {turns.length === 0 && running === undefined && (
            <div class="empty">
              <Icon name="spark" size={40} />
              <p class="empty-title">{ai.emptyTitle}</p>
              <p>{ai.emptyLead}</p>
            </div>
          )}
          {turns.map((turn, at) => (
            <ShownTurn key={at} turn={turn} />
          ))}
          {running !== undefined && (
            <>
              <ShownTurn turn={{ role: 'assistant', text: running.text || ai.waiting, calls: running.calls }} />
              <Button onClick={() => control.current?.abort()}>{ai.stop}</Button>
            </>
          )}
          {error !== undefined && (
            <AiProblem error={error} {...(last && last.role !== 'assistant' && { onRetry: () => void run(turns) })} />
          )}
          {answer && (
            <p class="hint charged" role="status">
              {usage && (
                <span>
                  {ai.charged(
                    formatNumber(usage.prompt_tokens),
                    formatNumber(usage.completion_tokens),
                    formatNumber(usage.total_tokens),
                  )}
                </span>
              )}
              {answer.heard.finishReason === 'length' && <span>{ai.cutOff}</span>}
              {answer.limits.map(({ name, left, resetSeconds }) => (
                <span key={name}>
                  <code>{name}</code> {ai.left(formatNumber(left), formatRelative(Date.now() + resetSeconds * 1000))}
                </span>
              ))}
            </p>
          )}
          {open.length > 0 && running === undefined ? (
            <ToolResults
              calls={open}
              onSend={(results) =>
                void run([
                  ...turns,
                  ...open.map(({ id }, at): Turn => ({ role: 'tool', text: results[at] ?? '', calls: [], callId: id })),
                ])
              }
            />
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              <TextField
                label={ai.message}
                hint={ai.messageHint}
                value={text}
                rows={3}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                  event.preventDefault();
                  submit();
                }}
              />
              <div class="actions">
                <Button kind="first" type="submit" isBusy={running !== undefined} disabled={!canSend}>
                  {ai.send}
                </Button>
                {turns.length > 0 && running === undefined && (
                  <Button
                    onClick={() => {
                      setTurns([]);
                      setAnswer(undefined);
                      setError(undefined);
                      setRequest(undefined);
                    }}
                  >
                    {ai.startAnew}
                  </Button>
                )}
              </div>
            </form>
          )}
          {request !== undefined && <Raw title={ai.rawRequest} value={request} />}
          {answer && <Raw title={ai.rawAnswer} value={answer.raw} />}
        </section>
        <SettingsOfModel
          settings={settings}
          mistakes={mistakes}
          models={models.data?.data.map(({ id }) => id) ?? []}
          onChange={setSettings}
        />
      </div>
      {models.error !== undefined && <AiProblem error={models.error} onRetry={models.reload} />}
      <section class="card usage-ai" aria-labelledby="ai-limits">
        <h2 id="ai-limits">{ai.limits}</h2>
        <p class="hint">{ai.limitsLead}</p>
        <AiLimits turn={round} />
      </section>
      <span class="visually-hidden" role="status">
        {running !== undefined && common.loading}
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
