/** What fits within this is on one line, so that a change of a response or a field is a change of a few lines. */
const mostColumns = 240;

/** Prints the contract as JSON, in a third of the bytes and lines of the usual form. */
export function printContract(value: unknown, indent = ''): string {
  const oneLine = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + oneLine.length <= mostColumns) return oneLine;
  const deeper = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((entry) => printContract(entry, deeper))
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}:${printContract(entry, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}
