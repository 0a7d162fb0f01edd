/**
 * Returns the texts of the marks of an axis of time: days, or hours with the day below the first of each day.
 *
 * @param marks seconds since the epoch
 * @param stepSeconds the time from one mark to the next
 */
export function timeMarks(
  marks: readonly number[],
  stepSeconds: number,
  language: string,
  timeZone: string | undefined,
): string[] {
  const day = new Intl.DateTimeFormat(language, { timeZone, day: 'numeric', month: 'short' });
  if (stepSeconds >= 86_400) return marks.map((mark) => day.format(mark * 1000));
  const hour = new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'short' });
  let before = '';
  return marks.map((mark) => {
    const date = day.format(mark * 1000);
    const text = date === before ? hour.format(mark * 1000) : `${hour.format(mark * 1000)}\n${date}`;
    before = date;
    return text;
  });
}
