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
  const { ai } = messages();
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change });
  const { typed, ticked, chosen } = formInputs(settings, onChange);
  return (
    <section class="card" aria-label={ai.settings}>
      <Choice
        label={ai.model}
        options={[['', ai.anyModel], ...models.map((id) => [id, id] as const)]}
        {...chosen('model')}
      />
      <TextField label={ai.system} hint={ai.systemHint} rows={3} {...typed('system')} />
      <Field
        label={ai.maxTokens}
        hint={ai.maxTokensHint}
        problem={mistakes.maxTokens && ai.maxTokensWrong}
        inputMode="numeric"
        value={settings.maxTokens}
        onInput={({ currentTarget }) => set({ maxTokens: currentTarget.value.trim() })}
      />
      <Field
        label={ai.temperature}
        hint={ai.temperatureHint}
        problem={mistakes.temperature && ai.temperatureWrong}
        inputMode="decimal"
        value={settings.temperature}
        onInput={({ currentTarget }) => set({ temperature: currentTarget.value.trim().replace(',', '.') })}
      />
      <TextField
        label={ai.tools}
        hint={ai.toolsHint}
        problem={mistakes.tools && ai.toolsWrong}
        class="ai-tools"
        rows={4}
        spellcheck={false}
        {...typed('tools')}
      />
      {config().streaming && <Tick label={ai.stream} hint={ai.streamHint} {...ticked('stream')} />}
    </section>
  );
}
