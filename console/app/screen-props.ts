/** What a screen is given of the address. */
export interface ScreenProps {
  /** The decoded segments of the address after the screen's name. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}
