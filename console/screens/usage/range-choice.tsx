import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Choice } from '../../ui/field.tsx';
import { ranges, type Range } from './days.ts';

/** Chooses for how many days a history is shown. */
export function RangeChoice({ value, onChoose }: { readonly value: Range; readonly onChoose: (range: Range) => void }) {
  const { usage } = messages();
  return (
    <Choice
      label={usage.range}
      value={value}
      options={ranges.map((range) => [range, usage.lastDays(formatNumber(Number(range)))] as const)}
      onChoose={onChoose}
    />
  );
}
