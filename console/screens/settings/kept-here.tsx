import { allKept } from '../../app/kept.ts';
import { density, forgetSettings, language, theme, timeZone } from '../../app/settings.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';

/** Everything that the console keeps in this browser. */
export function KeptHere() {
  const { settings } = messages();
  // Read anew whenever one of them changes.
  const key = [language.value, theme.value, density.value, timeZone.value].join();
  return (
    <section class="card" aria-labelledby="settings-kept" data-key={key}>
      <h2 id="settings-kept">{settings.kept}</h2>
      <Facts rows={allKept().map(([name, value]) => [<code>{name}</code>, value])} />
      <p class="hint">{settings.keptHint}</p>
      <div class="actions">
        <Button
          icon="undo"
          onClick={() =>
            void confirm({
              title: settings.forgetTitle,
              text: settings.forgetText,
              action: settings.forget,
              isDangerous: false,
              run: async () => forgetSettings(),
            })
          }
        >
          {settings.forget}
        </Button>
      </div>
    </section>
  );
}
