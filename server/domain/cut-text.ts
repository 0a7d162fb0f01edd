/** Returns as many whole characters of a text as fit into `maxBytes` of UTF-8. */
export function cutText(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each code unit.
  if (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes;
  // A byte 10xxxxxx continues a character, so the text ends before that character.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}
