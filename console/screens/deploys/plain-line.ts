/** CSI, OSC and other strings, and two-character sequences, as ECMA-48 describes them. */
// eslint-disable-next-line no-control-regex
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
/** Control characters but the tab, and those that change the direction of a text. */
// eslint-disable-next-line no-control-regex
const invisible = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a line of output as plain text: without escape sequences of terminals. Of a line that was written over, as
 * progress bars are, it returns the last form.
 */
export function plainLine(line: string): string {
  const text = line.replace(sequences, '').replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1).replace(invisible, '');
}
