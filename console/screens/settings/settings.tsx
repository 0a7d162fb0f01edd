import { chooseLanguage, language, languages, theme, timeZone, type Language, type Theme } from '../../app/settings.ts';
import { words } from '../../app/words.ts';
import { Choice } from '../../ui/field.tsx';
import { Screen } from '../../ui/screen.tsx';

/** What this browser keeps: language, colors and time zone. */
export default function Settings() {
  const { settings, screens } = words();
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Screen title={screens.settings} lead={settings.lead}>
      <section class="card narrow">
        <Choice<Language>
          label={settings.language}
          value={language.value}
          options={Object.entries(languages) as Array<[Language, string]>}
          onChoose={chooseLanguage}
        />
        <Choice<Theme>
          label={settings.theme}
          value={theme.value}
          options={[
            ['auto', settings.themes.auto],
            ['light', settings.themes.light],
            ['dark', settings.themes.dark],
          ]}
          onChoose={(chosen) => (theme.value = chosen)}
        />
        <Choice
          label={settings.timeZone}
          value={timeZone.value ?? ''}
          options={[
            ['', settings.ownTimeZone(own)],
            ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone] as const),
          ]}
          onChoose={(zone) => (timeZone.value = zone === '' ? undefined : zone)}
        />
      </section>
    </Screen>
  );
}
