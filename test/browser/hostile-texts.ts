import type { Page } from 'playwright-core';

import type { TestAccount, TestServer } from '#test/support/server.ts';

/** Text that does something as HTML, as an attribute, as an address, in a spreadsheet, and to the order of letters. */
export const hostile =
  `=1+1;=2+2"'><img src=x onerror=globalThis.ran=1><script>globalThis.ran=1</script><a ` +
  'href=javascript:globalThis.ran=1>';
/** One that fits fields of 64 characters. */
export const short = `<img src=x onerror=globalThis.ran=1>"';=2`;
/** Colors, a link, a new title of the window, and a line that covers another one. */
export const terminal =
  `\u001b[31mred\u001b[0m \u001b]8;;javascript:globalThis.ran=1\u0007click\u001b]8;;\u0007 ` +
  `\u001b]0;title\u0007\u202egpj\r${hostile}`;

/** A screen that shows such texts, by its address below `/console`. */
export interface HostileScreen {
  readonly path: string;
  /** Looks closer. `go` opens a screen, and checks that texts stay texts there. */
  look?(page: Page, go: (path: string) => Promise<void>): Promise<void>;
}

/** What a feature adds to the test of texts in the console: `test/features/<feature>/hostile-texts.ts`. */
export interface HostileTexts {
  /** Stores such texts for an account, as others would. Returns the screens that show them. */
  store(at: { readonly server: TestServer; readonly account: TestAccount }): Promise<readonly HostileScreen[]>;
}
