const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What separates the parts of titles and of base64. */
const between = /[-_~+/ ]+/;

/** Whether a text looks like an id or a token: a number, a UUID, longer hex, or random text that is no title. */
export function isId(text: string): boolean {
  if (text === '') return false;
  if (/^[0-9]+$/.test(text) || uuid.test(text) || /^xox[a-z]-/i.test(text)) return true;
  if (/^[0-9a-f]{8,}$/i.test(text) && /[0-9]/.test(text)) return true;
  // Base64 and similar encodings, unless the whole text is a title.
  if (
    /^[A-Za-z0-9_~+/-]{16,}={0,2}$/.test(text) &&
    (/[0-9]/.test(text) || (/[A-Z]/.test(text) && /[a-z]/.test(text))) &&
    !isTitleOrName(text)
  )
    return true;
  if (!/[0-9]/.test(text)) return false;
  // With a prefix that names the kind: app_4x7k2m9q3v8n6tbw.
  if (/^[a-z]{1,10}_(?=[a-zA-Z]*[0-9])[A-Za-z0-9]{8,}$/.test(text)) return true;
  if (/^[A-Za-z0-9_.~=-]{20,}$/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text)) return true;
  return holdsId(text.split(between));
}

/** Whether one part is an id by itself, or two parts mix letters and digits, as in `a8f3-x92k-q7p2`. */
function holdsId(parts: readonly string[]): boolean {
  if (parts.length < 2) return false;
  if (parts.some((part) => /^[0-9]{6,}$/.test(part) || (part.length >= 8 && isId(part)))) return true;
  return parts.filter((part) => part.length >= 4 && /[0-9]/.test(part) && /[a-z]/i.test(part)).length >= 2;
}

/** Whether a text is a title such as `ten-things-about-2026`, or a name such as `getUserSettings`. */
function isTitleOrName(text: string): boolean {
  return text
    .split(between)
    .every(
      (part) =>
        /^([a-z]+|[A-Z][a-z]+|[A-Z]{2,6}|[A-Za-z]|[0-9]{1,4}|[a-z]{2,12}[0-9]{1,2}|v[0-9]{1,3})?$/.test(part) ||
        isCamelCase(part),
    );
}

function isCamelCase(part: string): boolean {
  const pieces = part.split(/(?=[A-Z])/);
  return /^[A-Za-z]+$/.test(part) && part.length / pieces.length >= 4;
}
