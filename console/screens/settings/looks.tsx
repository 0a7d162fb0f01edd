import {
  chooseLanguage,
  density,
  language,
  languages,
  theme,
  timeZone,
  type Density,
  type Language,
  type Theme,
} from '../../app/settings.ts';
import { messages } from '../../app/messages.ts';
import { formatExactTime } from '../../format.ts';
import { Choice } from '../../ui/field.tsx';

/** Language, colors, density and time zone. */
export function Looks() {
  const { settings } = messages();
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section class="card narrow" aria-label={settings.looks}>
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
      <Choice<Density>
        label={settings.density}
        value={density.value}
        options={[
          ['roomy', settings.densities.roomy],
          ['compact', settings.densities.compact],
        ]}
        onChoose={(chosen) => (density.value = chosen)}
      />
      <Choice
        label={settings.timeZone}
        hint={settings.timeNow(formatExactTime(Date.now()))}
        value={timeZone.value ?? ''}
        options={[
          ['', settings.ownTimeZone(own)],
          ...['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map(
            (zone) => [zone, zone] as const,
          ),
        ]}
        onChoose={(zone) => (timeZone.value = zone === '' ? undefined : zone)}
      />
    </section>
  );
}
