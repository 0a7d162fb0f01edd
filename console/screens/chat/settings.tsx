import { config } from '../../app/config.ts';
import { messages } from '../../app/messages.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import type { Mistakes, Settings } from './conversation.ts';

/** How requests go to the model. */
export function SettingsOfModel({
  settings,
  mistakes,
  models,
  onChange,
}: {
  readonly settings: Settings;
  readonly mistakes: Mistakes;
  readonly models: readonly string[];
  readonly onChange: (settings: Settings) => void;
}) {
  const { chat } = messages();
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change });
  const { typed, ticked, chosen } = formInputs(settings, onChange);
  return (
    <section class="card" aria-label={chat.settings}>
      <Choice
        label={chat.model}
        options={[['', chat.anyModel], ...models.map((id) => [id, id] as const)]}
        {...chosen('model')}
      />
      <TextField label={chat.system} hint={chat.systemHint} rows={3} {...typed('system')} />
      <Field
        label={chat.maxTokens}
        hint={chat.maxTokensHint}
        problem={mistakes.maxTokens && chat.maxTokensWrong}
        inputMode="numeric"
        value={settings.maxTokens}
        onInput={({ currentTarget }) => set({ maxTokens: currentTarget.value.trim() })}
      />
      <Field
        label={chat.temperature}
        hint={chat.temperatureHint}
        problem={mistakes.temperature && chat.temperatureWrong}
        inputMode="decimal"
        value={settings.temperature}
        onInput={({ currentTarget }) => set({ temperature: currentTarget.value.trim().replace(',', '.') })}
      />
      <TextField
        label={chat.tools}
        hint={chat.toolsHint}
        problem={mistakes.tools && chat.toolsWrong}
        class="ai-tools"
        rows={4}
        spellcheck={false}
        {...typed('tools')}
      />
      {config().streaming && <Tick label={chat.stream} hint={chat.streamHint} {...ticked('stream')} />}
    </section>
  );
}
