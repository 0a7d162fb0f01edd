import { textThat } from '#server/cli/arguments.ts';

/** Parses the id of an application. */
export const parseAppId = textThat(
  (text) => /^[!-~]{1,64}$/.test(text),
  'An application id is 1 to 64 characters, as "cubby app list" shows it.',
);
