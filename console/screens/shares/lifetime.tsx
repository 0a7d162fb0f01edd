import { timeZone } from '../../app/settings.ts';
import { messages } from '../../app/messages.ts';
import { instantOf, localInput } from '../../local-time.ts';
import { Choice, Field } from '../../ui/field.tsx';

type LifetimeChoice = 'keep' | '3600' | '86400' | '604800' | '2592000' | 'until';

export interface ChosenLifetime {
  readonly choice: LifetimeChoice;
  /** For `until`: a value of a `datetime-local` field, in the chosen time zone. */
  readonly until: string;
}

/** Returns the lifetime in seconds from now; undefined if the end stays as it is. */
export function secondsOf({ choice, until }: ChosenLifetime, nowMs = Date.now()): number | undefined {
  if (choice === 'keep') return undefined;
  if (choice !== 'until') return Number(choice);
  const end = instantOf(until, timeZone.value);
  return end === undefined ? undefined : Math.round((Date.parse(end) - nowMs) / 1000);
}

const lengths = ['3600', '86400', '604800', '2592000'] as const;
const mostMs = 2_592_000_000;

/** When a link ends: after a common time, or at a time of one's choice. */
export function Lifetime({
  value,
  mayKeep,
  onChange,
}: {
  readonly value: ChosenLifetime;
  readonly mayKeep: boolean;
  readonly onChange: (value: ChosenLifetime) => void;
}) {
  const { shares } = messages();
  const inputAt = (ms: number) => localInput(new Date(Date.now() + ms).toISOString(), timeZone.value);
  return (
    <div class="pair">
      <Choice<LifetimeChoice>
        label={shares.lifetime}
        value={value.choice}
        options={[
          ...(mayKeep ? ([['keep', shares.keepEnd]] as const) : []),
          ...lengths.map((length) => [length, shares.lifetimes[length]] as const),
          ['until', shares.until],
        ]}
        onChoose={(choice) => onChange({ choice, until: value.until || inputAt(86_400_000) })}
      />
      {value.choice === 'until' && (
        <Field
          label={shares.untilTime}
          hint={shares.untilHint}
          type="datetime-local"
          required
          min={inputAt(60_000)}
          max={inputAt(mostMs)}
          value={value.until}
          onInput={({ currentTarget }) => onChange({ choice: 'until', until: currentTarget.value })}
        />
      )}
    </div>
  );
}
