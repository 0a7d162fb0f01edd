import type { ScreenEntry } from '../app/screens.ts';

/** Returns the screen of an address. The address of the console itself shows the first one. */
export function shownScreen(screens: readonly ScreenEntry[], name: string): ScreenEntry | undefined {
  return name === '' ? screens[0] : screens.find((screen) => screen.name === name);
}
