/** Prints a value as JavaScript, with bare names and single quotes. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const parts = isList
    ? value.map((entry) => literal(entry, deeper))
    : Object.entries(value).map(
        ([name, entry]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(entry, deeper)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + indent.length <= 80 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}
