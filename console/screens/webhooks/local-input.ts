/** Returns an instant as the value of a field of the type `datetime-local`, in the time zone of the browser. */
export function localInput(instant: Date): string {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function dayBefore(instant: Date): Date {
  return new Date(instant.getTime() - 86_400_000);
}
