import { config } from '../../app/config.ts';
import { words } from '../../app/words.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import type { Mistakes, Settings } from './conversation.ts';

/** How the model is asked. */
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
  const { ai } = words();
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change });
  return (
    <section class="card" aria-label={ai.settings}>
      <Choice
        label={ai.model}
        value={settings.model}
        options={[['', ai.anyModel], ...models.map((id) => [id, id] as const)]}
        onChoose={(model) => set({ model })}
      />
      <TextField
        label={ai.system}
        hint={ai.systemHint}
        rows={3}
        value={settings.system}
        onInput={({ currentTarget }) => set({ system: currentTarget.value })}
      />
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
        value={settings.tools}
        onInput={({ currentTarget }) => set({ tools: currentTarget.value })}
      />
      {config().streaming && (
        <Tick
          label={ai.stream}
          hint={ai.streamHint}
          checked={settings.stream}
          onChange={({ currentTarget }) => set({ stream: currentTarget.checked })}
        />
      )}
    </section>
  );
}
