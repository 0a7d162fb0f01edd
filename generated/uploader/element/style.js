// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns a constructed style sheet. Unlike a style element, it is allowed under a policy that forbids inline styles.
 */
export function elementSheet() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
}
/*
 * The colours follow the colour scheme of the page. With "light dark" they follow the user's choice. A page can set the
 * --cubby-… properties to its own colours.
 */
const css = `
:host {
  --ink: var(--cubby-ink, #1d2733);
  --quiet: var(--cubby-quiet, #55606d);
  --ground: var(--cubby-ground, #ffffff);
  --raised: var(--cubby-raised, #f3f6fa);
  --line: var(--cubby-line, #76828f);
  --track: var(--cubby-track, #d8e0e9);
  --accent: var(--cubby-accent, #1f5fbf);
  --on-accent: var(--cubby-on-accent, #ffffff);
  --good: var(--cubby-good, #1a6b3c);
  --bad: var(--cubby-bad, #b3261e);
  display: block;
  color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif;
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --ink: var(--cubby-ink, light-dark(#1d2733, #e8edf3));
    --quiet: var(--cubby-quiet, light-dark(#55606d, #a9b5c2));
    --ground: var(--cubby-ground, light-dark(#ffffff, #161c24));
    --raised: var(--cubby-raised, light-dark(#f3f6fa, #202833));
    --line: var(--cubby-line, light-dark(#76828f, #7d8997));
    --track: var(--cubby-track, light-dark(#d8e0e9, #34404d));
    --accent: var(--cubby-accent, light-dark(#1f5fbf, #8ab8ff));
    --on-accent: var(--cubby-on-accent, light-dark(#ffffff, #0d1a2c));
    --good: var(--cubby-good, light-dark(#1a6b3c, #7fd8a2));
    --bad: var(--cubby-bad, light-dark(#b3261e, #ff9d94));
  }
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.drop {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0.5rem 0.75rem;
  padding: 2rem 1rem;
  border: 2px dashed var(--line);
  border-radius: 0.75rem;
  background: var(--raised);
  text-align: center;
  transition: border-color 0.15s, background-color 0.15s;
}
.drop[data-over] { border-color: var(--accent); border-style: solid; background: var(--ground); }
.hint, .limits { color: var(--quiet); }
.limits { flex-basis: 100%; font-size: 0.9rem; }
.limits:empty { display: none; }
.note { margin: 0.75rem 0 0; color: var(--bad); font-size: 0.9rem; overflow-wrap: anywhere; }
.note[data-busy] { color: var(--quiet); }
.note:empty { display: none; }
button, a {
  min-height: 2.25rem;
  padding: 0.35rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--ground);
  color: var(--ink);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
button:hover, a:hover { border-color: var(--accent); color: var(--accent); }
.choose, .choose-folder { min-height: 2.75rem; font-weight: 600; }
button.choose { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.choose:hover { color: var(--on-accent); filter: brightness(1.08); }
button:disabled { cursor: default; opacity: 0.6; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
input, [hidden] { display: none !important; }
ul {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem;
  margin: 0.75rem 0 0;
  padding: 0;
  list-style: none;
}
ul:empty { display: none; }
li, .totals {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.75rem;
  align-items: center;
  padding: 0.7rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--ground);
}
.totals { margin-block-start: 0.75rem; background: var(--raised); }
.picture { flex: none; inline-size: 40px; block-size: 40px; border-radius: 0.4rem; background: var(--track); }
.about { flex: 1 1 10rem; min-inline-size: 0; max-inline-size: 100%; }
.name { display: block; overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.status, .total-status {
  color: var(--quiet);
  font-size: 0.9rem;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.total-status { flex: 1 1 12rem; color: var(--ink); }
li[data-state='completed'] .status { color: var(--good); }
li:is([data-state='failed'], [data-state='offline']) .status { color: var(--bad); }
.actions, .total-actions { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-inline-start: auto; }
progress {
  flex: 1 0 100%;
  inline-size: 100%;
  block-size: 0.5rem;
  border: 0;
  border-radius: 1rem;
  background: var(--track);
  accent-color: var(--accent);
  appearance: none;
  overflow: hidden;
}
progress::-webkit-progress-bar { background: var(--track); }
progress::-webkit-progress-value { border-radius: 1rem; background: var(--accent); transition: inline-size 0.2s; }
progress::-moz-progress-bar { border-radius: 1rem; background: var(--accent); }
li:is([data-state='completed'], [data-state='cancelled'], [data-state='failed']) progress { display: none; }
.name, .status, .total-status, .note, .more { unicode-bidi: plaintext; }
li, .totals, .note, .more { text-align: match-parent; }
.more { margin: 0.5rem 0 0; color: var(--quiet); }
.more:empty { display: none; }
.said {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
@media (prefers-reduced-motion: reduce) {
  .drop, progress::-webkit-progress-value { transition: none; }
}
@media (forced-colors: active) {
  .drop[data-over] { border-color: Highlight; }
  button.choose { border-color: ButtonText; }
  progress { border: 1px solid CanvasText; appearance: auto; }
  :focus-visible { outline-color: Highlight; }
}
`;
