/** Returns an instant as a field of the type `datetime-local` has it, in a time zone. */
export function localInput(instant: string, zone: string | undefined): string {
  return new Date(Date.parse(instant) + offsetMs(Date.parse(instant), zone)).toISOString().slice(0, 16);
}

/** Returns the instant of such a field as RFC 3339; undefined for an empty one. */
export function instantOf(local: string, zone: string | undefined): string | undefined {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The offset at the instant itself can differ from the one at the wall time, near a change of the clocks.
  const near = wall - offsetMs(wall, zone);
  return new Date(wall - offsetMs(near, zone)).toISOString();
}

/** Returns how far a zone is ahead of UTC at an instant. */
function offsetMs(instant: number, zone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(instant / 1000) * 1000;
}
